//! Drives a headless Chromium over a pair of pipes, by its debugging protocol.

use std::{
    env,
    fs::File,
    io::{BufRead as _, BufReader, Write as _},
    path::Path,
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{self, Receiver},
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tempfile::TempDir;

/// Longest life of a browser: one that hangs fails its test.
const LIMIT: Duration = Duration::from_secs(90);

/// The shell lends its own input and output to the browser as descriptors 3 and 4, where it expects the pipes.
const PIPES: &str = r#"exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null"#;

const FLAGS: [&str; 10] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
];

/// A browser with one page.
pub(crate) struct Browser {
    child: Child,
    to: ChildStdin,
    from: Receiver<Value>,
    session: Option<String>,
    last_id: u64,
    events: Vec<Value>,
    end: Instant,
    /// Removed when the browser is gone.
    profile: TempDir,
}

impl Browser {
    /// Name of the program, `PACKBENCH_CHROMIUM` or Debian's; `None` if it does not work here.
    pub(crate) fn program() -> Option<String> {
        let name = env::var("PACKBENCH_CHROMIUM").unwrap_or("chromium".into());
        let mut version = Command::new(&name);
        version.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        version.status().is_ok_and(|status| status.success()).then_some(name)
    }

    pub(crate) fn start(program: &str) -> Browser {
        let profile = tempfile::tempdir().unwrap();
        let log = File::create(profile.path().join("stderr")).unwrap();
        let mut child = Command::new("sh")
            .args(["-c", PIPES, program])
            .args(FLAGS)
            .arg(format!("--user-data-dir={}", profile.path().join("profile").display()))
            .arg("about:blank")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .unwrap();
        let to = child.stdin.take().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        let (sender, from) = mpsc::channel();
        thread::spawn(move || {
            let mut message = Vec::new();
            while lines.read_until(0, &mut message).is_ok_and(|length| length > 0) {
                message.pop();
                let Ok(value) = serde_json::from_slice(&message) else { return };
                if sender.send(value).is_err() {
                    return;
                }
                message.clear();
            }
        });
        let end = Instant::now() + LIMIT;
        let (session, events) = (None, Vec::new());
        let mut browser = Browser { child, to, from, session, last_id: 0, events, end, profile };
        let target = browser.ask("Target.createTarget", json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let attached = browser.ask("Target.attachToTarget", attach);
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.ask(&format!("{domain}.enable"), json!({}));
        }
        browser.resize(1400);
        browser
    }

    /// Gives the page another width, in pixels.
    pub(crate) fn resize(&mut self, width: u32) {
        let size =
            json!({ "width": width, "height": 1000, "deviceScaleFactor": 1, "mobile": false });
        self.ask("Emulation.setDeviceMetricsOverride", size);
    }

    /// Opens a file and waits until its script has come to its end.
    pub(crate) fn open(&mut self, file: &Path) {
        self.events.clear();
        self.ask("Page.navigate", json!({ "url": format!("file://{}", file.display()) }));
        while !self.events.iter().any(|event| event["method"] == "Page.loadEventFired") {
            let event = self.receive();
            self.events.push(event);
        }
        let ready = self.eval("document.documentElement.dataset.ready ?? ''");
        assert_eq!(ready, "true", "the script stopped early: {:?}", self.complaints());
    }

    /// The value of an expression in the page.
    pub(crate) fn eval(&mut self, expression: &str) -> Value {
        let wanted =
            json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let answer = self.ask("Runtime.evaluate", wanted);
        let failure = &answer["exceptionDetails"];
        assert!(failure.is_null(), "in `{expression}`: {failure}");
        answer["result"]["value"].clone()
    }

    /// The visible text of each element that a selector finds.
    pub(crate) fn texts(&mut self, selector: &str) -> Vec<String> {
        let all = self.eval(&format!(
            "[...document.querySelectorAll({})].filter((node) => node.checkVisibility()).map((node) => node.innerText.trim().replace(/\\s*\\t\\s*/g, '\\t'))",
            json!(selector)
        ));
        all.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
    }

    /// Presses the mouse on the middle of the first element that a selector finds.
    pub(crate) fn click(&mut self, selector: &str) {
        let (x, y) = self.middle(selector);
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({ "type": kind, "x": x, "y": y, "button": "left", "clickCount": 1 });
            self.ask("Input.dispatchMouseEvent", event);
        }
    }

    /// Moves the mouse over an element, to a place from the left as a share of its width and to a height in pixels.
    pub(crate) fn hover(&mut self, selector: &str, share: f64, top: f64) {
        let place = self.eval(&format!(
            "(() => {{ const node = document.querySelector({}); node.scrollIntoView({{ block: 'center' }}); const box = node.getBoundingClientRect(); return [box.x + box.width * {share}, box.y + {top}]; }})()",
            json!(selector)
        ));
        for step in [0.0, 1.0] {
            let x = place[0].as_f64().unwrap() + step;
            let event = json!({ "type": "mouseMoved", "x": x, "y": place[1] });
            self.ask("Input.dispatchMouseEvent", event);
        }
        // Tooltips are drawn in the frame after.
        self.eval("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(null))))");
    }

    /// Types into what has the focus.
    pub(crate) fn write(&mut self, text: &str) {
        self.ask("Input.insertText", json!({ "text": text }));
    }

    /// Presses and releases a key, by its name; `Enter` is the only one that also types.
    pub(crate) fn press(&mut self, key: &str) {
        let mut down = json!({ "type": "keyDown", "key": key, "code": key });
        if key == "Enter" {
            (down["text"], down["windowsVirtualKeyCode"]) = ("\r".into(), 13.into());
        }
        self.ask("Input.dispatchKeyEvent", down);
        self.ask("Input.dispatchKeyEvent", json!({ "type": "keyUp", "key": key, "code": key }));
    }

    /// Chooses an option as a person does, so that listeners hear of it.
    pub(crate) fn choose(&mut self, selector: &str, text: &str) {
        let found = self.eval(&format!(
            "(() => {{ const select = document.querySelector({}); const option = [...select.options].find((option) => option.text === {}); if (!option) return false; select.value = option.value; select.dispatchEvent(new Event('change')); return true; }})()",
            json!(selector),
            json!(text)
        ));
        assert_eq!(found, true, "{selector} has no option `{text}`");
    }

    /// Errors and warnings of the console since the page was opened, and what it asked of a network.
    pub(crate) fn complaints(&mut self) -> Vec<String> {
        // What happened until now has arrived once this has an answer.
        self.ask("Runtime.evaluate", json!({ "expression": "0" }));
        let text = |event: &Value| -> Option<String> {
            let seen = &event["params"];
            match event["method"].as_str()? {
                "Runtime.exceptionThrown" | "Runtime.consoleAPICalled" | "Log.entryAdded" => {
                    Some(seen.to_string())
                }
                "Network.requestWillBeSent" => {
                    let address = seen["request"]["url"].as_str()?;
                    let own = address.starts_with("file://") && seen["type"] == "Document";
                    (!own && !address.starts_with("data:")).then(|| format!("asks for {address}"))
                }
                _ => None,
            }
        };
        self.events.iter().filter_map(text).collect()
    }

    fn middle(&mut self, selector: &str) -> (f64, f64) {
        let place = self.eval(&format!(
            "(() => {{ const node = document.querySelector({}); node.scrollIntoView({{ block: 'center', inline: 'center' }}); const box = node.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})()",
            json!(selector)
        ));
        (place[0].as_f64().unwrap(), place[1].as_f64().unwrap())
    }

    fn ask(&mut self, method: &str, parameters: Value) -> Value {
        self.last_id += 1;
        let mut question = json!({ "id": self.last_id, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            question["sessionId"] = session.as_str().into();
        }
        self.to.write_all(format!("{question}\0").as_bytes()).unwrap();
        loop {
            let message = self.receive();
            if message["id"] == self.last_id {
                assert!(message["error"].is_null(), "{method}: {}", message["error"]);
                return message["result"].clone();
            }
            self.events.push(message);
        }
    }

    fn receive(&mut self) -> Value {
        let left = self.end.saturating_duration_since(Instant::now());
        self.from.recv_timeout(left).unwrap_or_else(|error| {
            let log = std::fs::read_to_string(self.profile.path().join("stderr"));
            panic!("the browser says nothing more: {error}\n{}", log.unwrap_or_default())
        })
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.to.write_all(b"{\"id\":0,\"method\":\"Browser.close\"}\0");
        let patience = Instant::now() + Duration::from_secs(5);
        while Instant::now() < patience {
            // Its end closes the pipe, and with it the channel.
            match self.from.recv_timeout(Duration::from_millis(100)) {
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
                _ => continue,
            }
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
