"""A client of a gateway's HTTP API."""

import http.client
import json
import time
import urllib.parse

from mgba_wire import TIME_LIMIT, Failure


class Caller:
    """One connection to the gateway at an URL."""

    def __init__(self, url, timeout=TIME_LIMIT):
        self.connection = http.client.HTTPConnection(urllib.parse.urlsplit(url).netloc, timeout=timeout)

    def send(self, method, path, body=None, headers=None):
        """(status, content): JSON where it is, else bytes."""
        is_json = isinstance(body, dict)
        media = {"Content-Type": "application/json" if is_json else "application/octet-stream"} if body is not None else {}
        self.connection.request(method, path, json.dumps(body) if is_json else body, {**media, **(headers or {})})
        response = self.connection.getresponse()
        data = response.read()
        return response.status, json.loads(data) if "json" in response.headers.get_content_type() else data

    def ok(self, method, path, body=None):
        status, content = self.send(method, path, body)
        if status != 200:
            raise Failure(f"{method} {path} was answered {status} {str(content)[:300]}")
        return content

    def until_ok(self, method, path, body=None):
        deadline = time.monotonic() + TIME_LIMIT
        while True:
            status, content = self.send(method, path, body)
            if status == 200:
                return content
            if time.monotonic() > deadline:
                raise Failure(f"{method} {path} is still answered {status} {str(content)[:300]}")
            time.sleep(0.05)

    def close(self):
        self.connection.close()
