#!/usr/bin/env python3
"""Casts the messages of an IRC chat as ballots of the open vote: chat_votes.py SERVER[:PORT] '#channel' ...

For Twitch: chat_votes.py irc.chat.twitch.tv '#name_of_the_streamer', which lets everybody read who is called justinfan and a number. Port 6697, the one
unless another is given, is TLS. A message is a ballot when it is a choice and nothing else: A, left, or A3 where a vote allows it.

BASE_URL is the gateway, TOKEN a token for it with the role player, or owner for moderators. NICK and IRC_PASSWORD are for servers that want an account.
The users in MODERATORS (ash,misty) write !block gary, !block gary 60 (seconds) and !unblock gary.
"""

import http.client
import json
import os
import random
import socket
import ssl
import sys
import time
import unicodedata
import urllib.parse

BASE_URL = urllib.parse.urlsplit(os.environ.get("BASE_URL", "http://127.0.0.1:5000"))
NICK = os.environ.get("NICK") or f"justinfan{random.randrange(10000, 99999)}"
MODERATORS = set(os.environ.get("MODERATORS", "").lower().split(",")) - {""}
TLS_PORT = 6697
SILENCE = 600  # seconds without a word of a server, which sends PING
MAX_PAUSE = 60  # seconds between two attempts to connect


class Gateway:
    """The open vote, and requests over one connection."""

    def __init__(self):
        self.connection = http.client.HTTPConnection(BASE_URL.hostname, BASE_URL.port or 80, timeout=10)
        self.headers = {"Content-Type": "application/json"}
        if "TOKEN" in os.environ:
            self.headers["Authorization"] = "Bearer " + os.environ["TOKEN"]
        self.vote = None
        self.looked = 0

    def request(self, method, path, body=None):
        """The status and the answer; a status of 0 when the gateway does not answer. A ballot is not sent twice: it may have been counted."""
        try:
            self.connection.request(method, BASE_URL.path.rstrip("/") + path, None if body is None else json.dumps(body), self.headers)
            response = self.connection.getresponse()
            return response.status, json.loads(response.read())
        except (OSError, http.client.HTTPException, ValueError) as error:
            self.connection.close()
            return 0, {"detail": f"The gateway does not answer: {error}."}

    def look(self):
        """Finds out, at most once a second, which vote is open."""
        if time.monotonic() - self.looked > 1:
            self.looked = time.monotonic()
            status, answer = self.request("GET", "/v2/votes")
            if status != 200:
                say(answer["detail"])
            self.vote = next((vote for vote in answer.get("votes", []) if vote["open"]), None)

    def is_choice(self, text):
        names = {choice["name"].lower() for choice in self.vote["choices"]}
        return text.lower() in names or (text[-1:].isdecimal() and text[:-1].lower() in names)

    def cast(self, voter, text):
        self.look()
        if self.vote and self.is_choice(text):
            status, answer = self.request("POST", f"/v2/votes/{self.vote['id']}/ballots", {"voter": voter, "choice": text})
            if status in (0, 401, 403) and "voter-blocked" not in answer.get("type", ""):
                say(answer["detail"])

    def moderate(self, words):
        """!block NAME [SECONDS] and !unblock NAME."""
        path = "/v2/voters/" + urllib.parse.quote(words[1].lower().lstrip("@"), safe="")
        if words[0] == "!unblock":
            status, answer = self.request("DELETE", path)
        else:
            status, answer = self.request("PUT", path, {"seconds": int(words[2])} if words[2:] and words[2].isdecimal() else {})
        say(" ".join(words) if status == 200 else answer["detail"])


def say(text):
    print(text, flush=True)


def parse(line):
    """The name, the command and the parameters of a message; tags before it are left out."""
    if line.startswith("@"):
        line = line.partition(" ")[2].lstrip()
    name = ""
    if line.startswith(":"):
        prefix, _, line = line[1:].partition(" ")
        name = prefix.partition("!")[0]
    head, has_text, text = line.partition(" :")
    words = head.split()
    return name, (words[0] if words else ""), words[1:] + ([text] if has_text else [])


def read(server, port, channels, gateway):
    """Reads the chat until the connection ends."""
    with socket.create_connection((server, port), timeout=SILENCE) as plain:
        connection = ssl.create_default_context().wrap_socket(plain, server_hostname=server) if port == TLS_PORT else plain

        def send(line):
            connection.sendall(f"{line}\r\n".encode())

        if "IRC_PASSWORD" in os.environ:
            send("PASS " + os.environ["IRC_PASSWORD"])
        send(f"NICK {NICK}")
        send(f"USER {NICK} 0 * :mGBA-bridge")
        for raw in connection.makefile("rb"):
            name, command, parameters = parse(unicodedata.normalize("NFC", raw.decode(errors="replace").rstrip("\r\n")))
            if command == "PING":
                send("PONG :" + "".join(parameters[-1:]))
            elif command == "001":
                send(f"JOIN {','.join(channels)}")
                say(f"connected to {server} as {NICK}")
            elif command == "366" and len(parameters) > 1:
                say(f"reads {parameters[1]}")
            elif command == "PRIVMSG" and len(parameters) == 2 and parameters[0].lower() in channels:
                text = parameters[1].strip()
                words = text.split()
                if name.lower() in MODERATORS and len(words) > 1 and words[0] in ("!block", "!unblock"):
                    gateway.moderate(words)
                elif len(text) <= 64:
                    gateway.cast(name.lower(), text)
            elif command in ("ERROR", "432", "433", "464", "465", "471", "473", "474", "475"):
                say(f"{server}: {''.join(parameters[-1:])}")


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    server, _, port = sys.argv[1].partition(":")
    channels = [channel.lower() for channel in sys.argv[2:]]
    gateway = Gateway()
    pause = 1
    while True:
        began = time.monotonic()
        try:
            read(server, int(port or TLS_PORT), channels, gateway)
            say(f"{server} has closed the connection")
        except OSError as error:
            say(f"{server}: {error}")
        pause = 1 if time.monotonic() - began > MAX_PAUSE else min(2 * pause, MAX_PAUSE)
        time.sleep(pause)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        pass
