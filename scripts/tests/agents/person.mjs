import { ok as check } from 'node:assert/strict'

export async function until(condition, text, timeLimit = 60_000) {
  const end = Date.now() + timeLimit
  while (!(await condition())) {
    check(Date.now() < end, `never came true: ${text}`)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

/** Requests of a person at /v2, as the page sends them. */
export class Person {
  constructor(url, holder) {
    Object.assign(this, { url, holder })
  }

  async send(method, path, body) {
    const response = await fetch(this.url + path, {
      method,
      headers: { 'Mgba-Holder': this.holder, 'Content-Type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    return { status: response.status, body: await response.json() }
  }

  async get(path) {
    const { status, body } = await this.send('GET', path)
    check(status === 200, `GET ${path}: ${status} ${JSON.stringify(body)}`)
    return body
  }

  /** How often the test game saw a key go down: 0 is A, then B, Select, Start, Right, Left, Up, Down, R, L. */
  async edges(key) {
    return (await this.get(`/v2/memory/0x${(0x02000020 + key * 4).toString(16).toUpperCase().padStart(8, '0')}/u32`)).value
  }
}
