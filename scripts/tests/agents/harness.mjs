// Tests one after the other: a line for each, and the counts as the last line.
const tests = []
export const test = (name, run) => tests.push({ name, run })

export function check(condition, text) {
  if (!condition) throw new Error(text)
}

export function equal(actual, expected, text) {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)]
  check(a === b, `${text}: ${a} instead of ${b}`)
}

export async function until(condition, text, patience = 30_000) {
  const end = Date.now() + patience
  while (!(await condition())) {
    check(Date.now() < end, `never came true: ${text}`)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

/** Runs those whose names contain the first argument. */
export async function runAll(suite) {
  const selected = tests.filter(({ name }) => name.includes(process.argv[2] ?? ''))
  let failed = 0
  for (const { name, run } of selected) {
    try {
      const note = await withLimit(run(), 15 * 60_000)
      console.log(`ok - ${name}${note ? ` (${note})` : ''}`)
    } catch (error) {
      failed++
      console.log(`not ok - ${name}`)
      console.log(String(error?.stack ?? error).split('\n').slice(0, 12).map(line => `# ${line}`).join('\n'))
    }
  }
  console.log(`${suite}: ${selected.length - failed} passed, ${failed} failed, 0 skipped`)
  return failed === 0 && selected.length > 0
}

async function withLimit(promise, milliseconds) {
  let timer
  const limit = new Promise((_, reject) => { timer = setTimeout(() => reject(new Error(`no end within ${milliseconds} ms`)), milliseconds) })
  try {
    return await Promise.race([promise, limit])
  } finally {
    clearTimeout(timer)
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
