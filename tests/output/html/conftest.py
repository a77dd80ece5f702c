"""A real browser for the pages: Debian's Chromium, driven by Selenium. Without one, these tests are skipped and say so."""

import shutil

import pytest

FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--no-first-run")


@pytest.fixture(scope="session")
def chromium():
    """The paths of Chromium and its driver."""
    found = shutil.which("chromium"), shutil.which("chromedriver")
    if None in found:
        pytest.skip("no browser: the packages chromium and chromium-driver are not installed")
    return found


@pytest.fixture
def browse(chromium, tmp_path):
    """Start a browser of a size and open a page; what it logs is read by `get_log("browser")`."""
    webdriver = pytest.importorskip("selenium.webdriver")
    from selenium.webdriver.chrome.service import Service

    open_ones = []

    def start(path=None, width=1280, height=900, *, dark=False):
        options = webdriver.ChromeOptions()
        options.binary_location = chromium[0]
        for flag in (*FLAGS, f"--user-data-dir={tmp_path}/profile{len(open_ones)}"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        driver = webdriver.Chrome(options=options, service=Service(chromium[1]))
        open_ones.append(driver)
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500})
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})
        if path is not None:
            driver.get(path.as_uri())
        return driver

    yield start
    for driver in open_ones:
        driver.quit()
