// From the data in the page to all that it shows.

const report = JSON.parse(section("data").textContent);
overview(report);
timing(report);
pair(report);
conformance(report);
codecsAndSizes(report);
machinePart(report);
methodPart(report);
strip.start(report);
drawCharts();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawCharts);
document.documentElement.dataset.ready = "true";
