"""A headless Chromium for tests, controlled over its debugging pipe: no port, no other program."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

LIMIT_S = 60
PROGRAM = next((found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None)


class Browser:
    """One page. `requests` holds its requests to the network, `complaints` the errors of its scripts."""

    def __init__(self):
        self.requests, self.complaints = [], []
        self.limit_s = LIMIT_S
        self.number, self.received = 0, b""
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        from_us, self.to = os.pipe()
        self.answers, to_us = os.pipe()
        command = [PROGRAM, "--headless=new", "--remote-debugging-pipe", f"--user-data-dir={self.folder.name}", "--no-first-run",
                   "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update"]
        if os.getuid() == 0:
            command.append("--no-sandbox")  # which root cannot have
        self.process = subprocess.Popen(self.with_pipe(command, from_us, to_us), pass_fds=(from_us, to_us), stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(from_us)
        os.close(to_us)
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log"):
            self.call(domain + ".enable")

    def open(self, address, width=1200, height=900, dark=False):
        """Replaces this page by another one, in a window of that many CSS pixels."""
        self.call("Page.navigate", url="about:blank")
        self.wait_for("location.href === 'about:blank'")
        self.requests, self.complaints = [], []
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        scheme = "dark" if dark else "light"
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.call("Page.navigate", url=address)

    @staticmethod
    def with_pipe(command, reads, writes):
        """The browser reads descriptor 3 and writes 4."""
        return ["/bin/sh", "-c", f'exec "$@" 8<&{reads} 9>&{writes} 3<&8 4>&9 8<&- 9>&-', "sh", *command]

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while (answer := self.receive()).get("id") != self.number:
            self.note(answer)
        if "error" in answer:
            raise AssertionError(f"{method}: {answer['error']}")
        return answer["result"]

    def receive(self):
        end = time.monotonic() + LIMIT_S
        while b"\0" not in self.received:
            if not select.select([self.answers], [], [], max(0, end - time.monotonic()))[0]:
                raise AssertionError("the browser does not answer")
            data = os.read(self.answers, 1 << 20)
            if not data:
                raise AssertionError("the browser has ended")
            self.received += data
        message, _, self.received = self.received.partition(b"\0")
        return json.loads(message)

    def note(self, event):
        parameters = event.get("params", {})
        if event.get("method") == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])
        elif event.get("method") == "Runtime.exceptionThrown":
            self.complaints.append(parameters["exceptionDetails"].get("exception", {}).get("description", "an exception"))
        elif event.get("method") == "Log.entryAdded" and parameters["entry"]["level"] == "error":
            self.complaints.append(parameters["entry"]["text"] + " " + parameters["entry"].get("url", ""))

    def value(self, script):
        """The value of a JavaScript expression."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise AssertionError(f"{script}: {answer['exceptionDetails']['exception']['description']}")
        return answer["result"].get("value")

    def value_if_there(self, script):
        """The value, or None while it cannot be had: the expression fails, or the browser is on its way to another page."""
        try:
            return self.value(f"(() => {{ try {{ const found = {script}; return found instanceof Node || found }} catch {{ return null }} }})()")
        except AssertionError as error:
            if "navigated" in str(error):
                return None
            raise

    def wait_for(self, script):
        """Waits until the expression's value counts as true, and returns it."""
        end = time.monotonic() + self.limit_s
        while not (found := self.value_if_there(script)):
            if time.monotonic() > end:
                raise AssertionError(f"never true: {script}; the page says {self.value('document.body.innerText')!r}, "
                                     f"its scripts {self.complaints}")
            time.sleep(0.02)
        return found

    def type(self, text):
        self.call("Input.insertText", text=text)

    def press(self, key, code=0, modifiers=0):
        text = {"Enter": "\r", " ": " "}.get(key, "")
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code, modifiers=modifiers,
                      **({"text": text} if text and kind == "keyDown" else {}))

    def point_at(self, script):
        """Moves the pointer onto the element that the expression gives; returns where it is."""
        x, y = self.value(f"(() => {{ const e = {script}; e.scrollIntoView({{block: 'center'}}); const r = e.getBoundingClientRect(); "
                          "return [r.x + r.width / 2, r.y + r.height / 2]; })()")
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        return x, y

    def click(self, script):
        x, y = self.point_at(script)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.captureScreenshot", captureBeyondViewport=True)["data"]))

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        for descriptor in (self.to, self.answers):
            os.close(descriptor)
        self.folder.cleanup()
