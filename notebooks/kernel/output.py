"""What compiled code prints: the descriptors 1 and 2 lead into pipes, and a thread hands on what arrives."""
import codecs
import os
import selectors
import threading

END = b"\x04"


class Output:
    """receive("stdout" or "stderr", text) is called while the code runs."""

    def __init__(self, receive):
        self.receive = receive
        self.original = {1: os.dup(1), 2: os.dup(2)}
        self.idle = {1: threading.Event(), 2: threading.Event()}
        self.selector = selectors.DefaultSelector()
        for descriptor in (1, 2):
            reader, writer = os.pipe()
            os.dup2(writer, descriptor)
            os.close(writer)
            decoder = codecs.getincrementaldecoder("utf-8")("replace")
            self.selector.register(reader, selectors.EVENT_READ, (descriptor, decoder))
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        while True:
            for key, _ in self.selector.select():
                descriptor, decoder = key.data
                data = os.read(key.fd, 1 << 16)
                text = decoder.decode(data.replace(END, b""))
                if text:
                    self.receive("stdout" if descriptor == 1 else "stderr", text)
                if END in data:
                    self.idle[descriptor].set()

    def settle(self):
        """Returns when everything that was printed so far has been received."""
        for descriptor, idle in self.idle.items():
            idle.clear()
            os.write(descriptor, END)
            idle.wait()
