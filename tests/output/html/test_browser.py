"""The page in a real browser: it runs nothing of a session, fits its window, is accessible, and stays fast."""

import json
import os
import time
from pathlib import Path

import pytest
from tests.output.html.hostile import hostile
from tests.strategies import condense

pytestmark = pytest.mark.slow
DEMO = Path(__file__).parents[3] / "fixtures" / "demo"
SIZES = ((390, 844), (1280, 900))


@pytest.fixture
def page(tmp_path):
    """Write a session and its page, return the page's path."""

    def made(data):
        (tmp_path / "s.jsonl").write_bytes(data)
        done = condense("view", str(tmp_path / "s.jsonl"), "-o", str(tmp_path / "p.html"))
        assert done.code == 0, done.err
        return tmp_path / "p.html"

    return made


def keys(driver, text):
    """Press keys, one after the other."""
    from selenium.webdriver.common.action_chains import ActionChains

    for key in text:
        ActionChains(driver).send_keys(key).perform()


def session(megabytes=0.0, messages=0):
    """Return a pi session of a size or of a number of messages; every 50th result has lost its call."""
    lines = [json.dumps({"type": "session", "version": 3, "id": "x", "timestamp": "2026-11-01T10:00:00.000Z", "cwd": "/"})]
    size, n, parent = 0, 0, None
    while size < megabytes * 1e6 or n < messages:
        kind = n % 4
        call = f"c{n - 1}" if n % 50 != 2 else f"lost{n}"
        output = "\n".join(f"line {i} of the output of step {n}: some words that differ {i * n}" for i in range(40 if not megabytes else 400))
        message = (
            {"role": "user", "content": [{"type": "text", "text": f"task-{n:05}: please look at it"}], "timestamp": n},
            {"role": "assistant", "content": [{"type": "text", "text": "Looking."}, {"type": "toolCall", "id": f"c{n}", "name": "bash", "arguments": {"command": f"ls {n}"}}], "provider": "p", "model": "m", "stopReason": "toolUse", "timestamp": n},
            {"role": "toolResult", "toolCallId": call, "toolName": "bash", "content": [{"type": "text", "text": output}], "isError": False, "timestamp": n},
            {"role": "assistant", "content": [{"type": "text", "text": f"That was step {n}.\n\n```python\nx = {n}\n```"}], "provider": "p", "model": "m", "stopReason": "stop", "timestamp": n},
        )[kind]
        line = json.dumps({"type": "message", "id": f"e{n}", "parentId": parent, "timestamp": "2026-11-01T10:00:00.000Z", "message": message})
        parent = f"e{n}"
        lines.append(line)
        size += len(line)
        n += 1
    return "\n".join(lines).encode() + b"\n"


@pytest.mark.parametrize("width", [390, 1280])
def test_a_hostile_session_runs_nothing(page, browse, width):
    """No script of the session runs, nothing is loaded, the policy had nothing to stop; opening and searching included."""
    path = page(hostile())
    driver = browse(path, width)
    assert driver.execute_script("return document.body.classList.contains('ready')")
    driver.execute_script("for (const d of document.querySelectorAll('details')) d.open = true")
    keys(driver, "nnnp2341/")
    keys(driver, "script")
    time.sleep(0.5)
    assert driver.execute_script("return window.ran === undefined")
    assert driver.execute_script("return performance.getEntriesByType('resource').filter((r) => !r.name.startsWith('data:')).length") == 0
    assert driver.get_log("browser") == []
    assert driver.current_url == path.as_uri()


def test_the_policy_stops_what_would_slip_through(page, browse, tmp_path):
    """Script, handler, style and image that are put into the finished page do nothing: the policy holds without the escaping."""
    path = page((DEMO / "bricked.jsonl").read_bytes())
    bad = "<script>window.ran=1</script><img src=x onerror='window.ran=2'><p id=styled style='color:red'>x</p><iframe src='data:text/html,x'></iframe>"
    broken = tmp_path / "broken.html"
    broken.write_text(path.read_text("utf-8").replace("</main>", bad + "</main>"), "utf-8")
    driver = browse(broken)
    time.sleep(0.3)
    assert driver.execute_script("return window.ran === undefined")
    assert driver.execute_script("return getComputedStyle(document.getElementById('styled')).color") != "rgb(255, 0, 0)"
    assert len(driver.get_log("browser")) >= 3


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("name", ["bricked.jsonl", "pruned.jsonl", "hostile"])
def test_the_page_fits_its_window(page, browse, tmp_path, name, width, height):
    """No element is wider than the window, in any view, folded and unfolded."""
    driver = browse(page(hostile() if name == "hostile" else (DEMO / name).read_bytes()), width, height)
    for key in "1234":
        keys(driver, key)
        driver.execute_script("for (const d of document.querySelectorAll('details')) d.open = true")
        driver.save_screenshot(str(tmp_path / f"{width}-{key}.png"))
        assert driver.execute_script("return document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("name", ["bricked.jsonl", "pruned.jsonl"])
def test_axe_finds_nothing_serious(page, browse, name, width, height, dark):
    """The accessibility check axe has no finding, in both colour schemes, folded and unfolded."""
    axe = pytest.importorskip("axe_core_python")
    (source,) = Path(axe.__file__).parent.rglob("axe.min.js")
    driver = browse(page((DEMO / name).read_bytes()), width, height, dark=dark)
    driver.execute_script("for (const d of document.querySelectorAll('details')) d.open = true")
    keys(driver, "n")
    # Through the debugger, past the policy of the page.
    driver.execute_cdp_cmd("Runtime.evaluate", {"expression": source.read_text("utf-8")})
    found = driver.execute_cdp_cmd("Runtime.evaluate", {"expression": "axe.run().then((r) => JSON.stringify(r.violations.map((v) => [v.id, v.impact, v.nodes.map((n) => n.html.slice(0, 150)).slice(0, 3)])))", "awaitPromise": True, "returnByValue": True})
    assert json.loads(found["result"]["value"]) == []


def test_keys_walk_through_the_findings(page, browse):
    """n goes to the next finding and p back; the finding has the focus and is in the window below the bar."""
    driver = browse(page(session(messages=400)), 390, 844)
    total = driver.execute_script("return document.querySelectorAll('.finding[id]').length")
    assert total > 5
    for key, number in (("n", 1), ("n", 2), ("n", 3), ("p", 2)):
        keys(driver, key)
        assert driver.execute_script("return document.getElementById('at').textContent") == f"{number}/{total}"
        time.sleep(0.2)
        top, bar = driver.execute_script("return [document.activeElement.getBoundingClientRect().top, document.querySelector('.bar').getBoundingClientRect().bottom]")
        assert bar - 1 <= top < 844
        assert driver.execute_script("return document.activeElement.className.includes('finding')")


def test_views_and_search(page, browse):
    """The repaired view leaves out the orphan; the search counts the messages that have the word and goes to the next."""
    driver = browse(page((DEMO / "bricked.jsonl").read_bytes()))
    shown = "return Array.from(document.querySelectorAll('.msg')).filter((m) => m.checkVisibility()).map((m) => m.id)"
    stored = driver.execute_script(shown)
    keys(driver, "4")
    assert driver.execute_script(shown) != stored
    keys(driver, "1/quiet")
    time.sleep(0.6)
    assert "/1 messages" in driver.execute_script("return document.getElementById('hits').textContent")


@pytest.mark.skipif("CONDENSE_TIMED" not in os.environ, reason="time is no matter of tests: `make bench` sets CONDENSE_TIMED")
def test_fifty_megabytes_open_in_five_seconds(page, browse):
    """From the address to the finished page."""
    path = page(session(megabytes=50))
    driver = browse()
    start = time.perf_counter()
    driver.get(path.as_uri())
    taken = time.perf_counter() - start
    assert driver.execute_script("return document.body.classList.contains('ready')")
    assert "characters are left out" in driver.page_source[-2_000_000:]
    assert taken < 5, f"{taken:.1f} s"


@pytest.mark.skipif("CONDENSE_TIMED" not in os.environ, reason="time is no matter of tests: `make bench` sets CONDENSE_TIMED")
def test_ten_thousand_messages_stay_responsive(page, browse):
    """A change of view, a jump to a finding at the end and a search each take less than a second and a half."""
    driver = browse(page(session(messages=10_000)))
    assert driver.execute_script("return document.querySelectorAll('.msg').length") > 10_000
    driver.set_script_timeout(30)
    after_frame = "const done = arguments[0]; const t = performance.now(); {}; requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - t)))"
    steps = {
        "view": "document.querySelector('input[value=p]').click()",
        "finding": "document.getElementById('prev').click()",
        "scroll": "scrollTo(0, document.body.scrollHeight / 2)",
        "timeline": "(() => { const s = document.getElementById('strip'), b = s.getBoundingClientRect(); s.dispatchEvent(new MouseEvent('click', {clientX: b.left + b.width * 0.7})) })()",
    }
    taken = {name: driver.execute_async_script(after_frame.replace("{}", step, 1)) for name, step in steps.items()}
    assert all(milliseconds < 1500 for milliseconds in taken.values()), taken
    keys(driver, "/")
    start = time.perf_counter()
    keys(driver, "task-05000")
    while "/1 messages" not in driver.execute_script("return document.getElementById('hits').textContent"):
        assert time.perf_counter() - start < 6
        time.sleep(0.05)
