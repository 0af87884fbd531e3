//! Which programs of the system are needed, which of them are missing, and how to install those.

use std::collections::BTreeSet;
use std::fmt;
use std::process::{Command, Stdio};

/// A program that comes from the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Tool {
    CCompiler,
    CxxCompiler,
    Python,
    Npm,
    Cargo,
}

impl Tool {
    /// The command that shows that the tool works.
    ///
    /// `CC` and `CXX` may hold several words, such as `ccache gcc`.
    fn probe(self, env: &dyn Fn(&str) -> Option<String>) -> Vec<String> {
        let words = |text: String| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let compiler = |variable: &str, usual: &str| {
            let set = env(variable).filter(|value| !value.trim().is_empty());
            let mut command = words(set.unwrap_or_else(|| usual.to_owned()));
            command.push("--version".to_owned());
            command
        };
        match self {
            Tool::CCompiler => compiler("CC", "cc"),
            Tool::CxxCompiler => compiler("CXX", "c++"),
            // Debian packs `ensurepip`, without which there is no virtual environment, by itself.
            Tool::Python => ["python3", "-c", "import ensurepip, venv"].map(str::to_owned).to_vec(),
            Tool::Npm => words("npm --version".to_owned()),
            Tool::Cargo => words("cargo --version".to_owned()),
        }
    }
}

impl fmt::Display for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Tool::CCompiler => "C compiler",
            Tool::CxxCompiler => "C++ compiler",
            Tool::Python => "python3 with venv",
            Tool::Npm => "npm",
            Tool::Cargo => "cargo",
        })
    }
}

/// A tool that was looked for in vain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Missing {
    pub(crate) tool: Tool,
    /// The command that did not work.
    pub(crate) tried: String,
    /// The command that installs it.
    pub(crate) install: String,
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "  {:<18} `{}` does not work; fix: {}", self.tool, self.tried, self.install)
    }
}

/// Of `tools`, those that are missing here, in one list.
pub(crate) fn missing(tools: &BTreeSet<Tool>) -> Vec<Missing> {
    let env = |name: &str| std::env::var(name).ok();
    let works = |command: &[String]| {
        let silent = Command::new(&command[0])
            .args(&command[1..])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        silent.is_ok_and(|status| status.success())
    };
    let has_apt = || works(&["apt-get".to_owned(), "--version".to_owned()]);
    let installer = || match std::env::consts::OS {
        "macos" => Installer::Brew,
        _ if has_apt() => Installer::Apt,
        _ => Installer::Unknown,
    };
    missing_by(tools, &env, &works, &installer)
}

#[derive(Clone, Copy)]
enum Installer {
    Apt,
    Brew,
    Unknown,
}

fn missing_by(
    tools: &BTreeSet<Tool>,
    env: &dyn Fn(&str) -> Option<String>,
    works: &dyn Fn(&[String]) -> bool,
    installer: &dyn Fn() -> Installer,
) -> Vec<Missing> {
    let probes = tools.iter().map(|&tool| (tool, tool.probe(env)));
    let failed = probes.filter(|(_, command)| !works(command));
    failed
        .map(|(tool, command)| {
            let variable = match tool {
                Tool::CCompiler => "CC",
                Tool::CxxCompiler => "CXX",
                _ => "",
            };
            let install = match env(variable).filter(|value| !value.trim().is_empty()) {
                Some(_) => format!("set `{variable}` to a compiler that is installed"),
                None => install(tool, installer()).to_owned(),
            };
            Missing { tool, tried: command.join(" "), install }
        })
        .collect()
}

fn install(tool: Tool, installer: Installer) -> &'static str {
    match (installer, tool) {
        (_, Tool::Cargo) => "install Rust with rustup",
        (Installer::Apt, Tool::CCompiler) => "`sudo apt-get install gcc libc6-dev`",
        (Installer::Apt, Tool::CxxCompiler) => "`sudo apt-get install g++`",
        (Installer::Apt, Tool::Python) => "`sudo apt-get install python3-venv`",
        (Installer::Apt, Tool::Npm) => "`sudo apt-get install npm`",
        (Installer::Brew, Tool::CCompiler | Tool::CxxCompiler) => "`xcode-select --install`",
        (Installer::Brew, Tool::Python) => "`brew install python`",
        (Installer::Brew, Tool::Npm) => "`brew install node`",
        (Installer::Unknown, Tool::CCompiler) => "install gcc or clang",
        (Installer::Unknown, Tool::CxxCompiler) => "install g++ or clang",
        (Installer::Unknown, Tool::Python) => {
            "install Python 3 with its modules venv and ensurepip"
        }
        (Installer::Unknown, Tool::Npm) => "install Node.js with npm",
    }
}

/// Whether packbench knows the operating system `os`, a value of [`std::env::consts::OS`].
///
/// # Errors
///
/// One sentence, on anything but Linux and macOS.
pub(crate) fn check_platform(os: &str) -> anyhow::Result<()> {
    anyhow::ensure!(
        matches!(os, "linux" | "macos"),
        "packbench measures on Linux, builds on Linux and macOS, and does neither on `{os}`"
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Tool; 5] =
        [Tool::CCompiler, Tool::CxxCompiler, Tool::Python, Tool::Npm, Tool::Cargo];

    #[test]
    fn all_that_is_missing_comes_in_one_list_with_commands() {
        let works = |command: &[String]| command[0] == "cargo" || command[0] == "npm";
        let list = missing_by(&BTreeSet::from(ALL), &|_| None, &works, &|| Installer::Apt);
        let installs: Vec<_> = list.iter().map(|missing| missing.install.as_str()).collect();
        assert_eq!(
            installs,
            [
                "`sudo apt-get install gcc libc6-dev`",
                "`sudo apt-get install g++`",
                "`sudo apt-get install python3-venv`"
            ]
        );
    }

    #[test]
    fn only_what_is_asked_for_is_looked_for() {
        assert!(
            missing_by(&BTreeSet::new(), &|_| None, &|_| false, &|| Installer::Brew).is_empty()
        );
    }

    #[test]
    fn cc_and_cxx_are_honoured() {
        let env = |name: &str| match name {
            "CC" => Some("ccache clang-19".to_owned()),
            "CXX" => Some(" ".to_owned()),
            _ => None,
        };
        let tools = BTreeSet::from([Tool::CCompiler, Tool::CxxCompiler]);
        let list = missing_by(&tools, &env, &|_| false, &|| Installer::Apt);
        assert_eq!(list[0].tried, "ccache clang-19 --version");
        assert_eq!(list[0].install, "set `CC` to a compiler that is installed");
        assert_eq!(list[1].tried, "c++ --version");
        assert_eq!(list[1].install, "`sudo apt-get install g++`");
    }

    #[test]
    fn every_tool_has_an_install_line_everywhere() {
        for installer in [Installer::Apt, Installer::Brew, Installer::Unknown] {
            for tool in ALL {
                assert!(install(tool, installer).contains("install"));
            }
        }
    }

    #[test]
    fn other_systems_are_refused_by_name() {
        check_platform("linux").unwrap();
        check_platform("macos").unwrap();
        assert!(check_platform("windows").unwrap_err().to_string().contains("`windows`"));
    }
}
