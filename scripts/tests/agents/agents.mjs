// Drives the MCP server with the public clients of both protocol generations, over Streamable HTTP and over standard input and output.
// BASE_URL is a gateway that plays the test game, PROGRAM its program, ROM the test game. PLAY_SECONDS sets how long agents and a person play together.
import { deepEqual as equal, ok as check } from 'node:assert/strict'
import test from 'node:test'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { Client as NewClient, StreamableHTTPClientTransport as NewHttp } from '@modelcontextprotocol/client'
import { StdioClientTransport as NewStdio } from '@modelcontextprotocol/client/stdio'
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { Person, until } from './person.mjs'

const url = process.env.BASE_URL
const program = process.env.PROGRAM
const person = new Person(url, 'person')
const rom = process.env.ROM
const stdio = () => ({ command: program, args: ['mcp', '--url', url], env: process.env, stderr: 'pipe' })

// name, and how to connect
const clients = [
  ['sdk 1 over HTTP', () => connect(OldClient, new OldHttp(new URL('/mcp', url)))],
  ['sdk 1 over stdio', () => connect(OldClient, new OldStdio(stdio()))],
  ['client 2 over HTTP', () => connect(NewClient, new NewHttp(new URL('/mcp', url)))],
  ['client 2 over stdio', () => connect(NewClient, new NewStdio(stdio()))],
  ['client 2 over HTTP without sessions', () => connect(NewClient, new NewHttp(new URL('/mcp', url)), { versionNegotiation: { mode: 'auto' } })],
  ['client 2 over stdio without sessions', () => connect(NewClient, new NewStdio(stdio()), { versionNegotiation: { mode: 'auto' } })],
]

async function connect(Client, transport, options = {}) {
  const client = new Client({ name: 'agents-suite', version: '1.0' }, { capabilities: {}, ...options })
  await client.connect(transport)
  return client
}

async function call(client, name, parameters = {}, options) {
  const result = isFirst(client) ? await client.callTool({ name, arguments: parameters }, undefined, options) : await client.callTool({ name, arguments: parameters }, options)
  check(!result.isError, `${name} ${JSON.stringify(parameters)}: ${result.content?.[0]?.text}`)
  return result
}

const isFirst = client => client instanceof OldClient

for (const [name, open] of clients) {
  const withClient = (title, run) => test(`${name}: ${title}`, async () => {
    const client = await open()
    try {
      return await run(client)
    } finally {
      await client.close()
    }
  })

  withClient('lists its tools with schemas and hints', async client => {
    const { tools } = await client.listTools()
    check(tools.length >= 6, `${tools.length} tools`)
    const press = tools.find(tool => tool.name === 'press')
    equal(press.annotations.readOnlyHint, false, 'press changes the game')
    equal(tools.find(tool => tool.name === 'observe').annotations.readOnlyHint, true, 'observe does not')
    check(tools.every(tool => tool.outputSchema?.type === 'object'), 'an output schema of each')
  })

  withClient('observes: a picture and structured content that fits its schema', async client => {
    await client.listTools() // the client checks results against these schemas
    const { structuredContent: seen, content } = await call(client, 'observe', { watch: ['0x02000008 u32'] })
    const image = content.find(block => block.type === 'image')
    equal([image.mimeType, Buffer.from(image.data, 'base64').subarray(1, 4).toString()], ['image/png', 'PNG'], 'the picture')
    check(seen.frame > 0 && seen.values['0x02000008 u32'] > 0, JSON.stringify(seen))
  })

  withClient('presses: the game sees each press', async client => {
    const before = await person.edges(1)
    const { structuredContent } = await call(client, 'press', { keys: 'B 2, wait 2, B 3', times: 2, settle: 1, picture: 'none' })
    equal(structuredContent.presses, 4, 'presses')
    equal(await person.edges(1) - before, 4, 'presses that the game saw')
  })

  withClient('gets errors that state the next step', async client => {
    const wrong = await client.callTool({ name: 'press', arguments: { keys: 'Q' } })
    check(wrong.isError && wrong.content[0].text.includes(' Next: '), JSON.stringify(wrong))
    let unknown
    try {
      unknown = await client.callTool({ name: 'fly', arguments: {} })
    } catch (error) {
      unknown = error
    }
    check(JSON.stringify(unknown.message ?? unknown).includes('There is no tool fly'), JSON.stringify(unknown.message ?? unknown))
  })

  withClient('gets progress of a long wait', async client => {
    const seen = []
    const options = { onprogress: progress => seen.push(progress) }
    const { structuredContent } = await call(client, 'wait_until', { frames: 150, picture: 'none' }, options)
    check(structuredContent.met && structuredContent.frames >= 150, JSON.stringify(structuredContent))
    check(seen.length > 0 && seen.every(({ progress, total }) => progress <= total && total === 150), JSON.stringify(seen))
  })

  withClient('cancels a wait', async client => {
    const abort = new AbortController()
    const waiting = call(client, 'wait_until', { frames: 36000 }, { signal: abort.signal, onprogress: () => abort.abort('enough') }).then(() => 'ended', () => 'cancelled')
    equal(await waiting, 'cancelled', 'the wait')
    await until(async () => (await person.get('/v2/status')).inFlight === 0, 'nothing is in flight')
    await call(client, 'observe', { picture: 'none' })
  })

  withClient('reads resources and prompts', async client => {
    const { resources } = await client.listResources()
    const screen = resources.find(resource => resource.uri.endsWith('/screen'))
    const { contents } = await client.readResource({ uri: screen.uri })
    equal(Buffer.from(contents[0].blob, 'base64').subarray(1, 4).toString(), 'PNG', 'the screen')
    const names = await client.readResource({ uri: screen.uri.replace('/screen', '/symbols') })
    check(names.contents[0].text.includes('names'), JSON.stringify(names))
    const text = `note ${Math.random()}`
    await call(client, 'notes', { action: 'append', text })
    const notes = await client.readResource({ uri: screen.uri.replace('/screen', '/notes') })
    check(notes.contents[0].text.includes(text), notes.contents[0].text)
    const { prompts } = await client.listPrompts()
    equal(prompts.map(prompt => prompt.name), ['play', 'find_address', 'write_test'], 'prompts')
    const prompt = await client.getPrompt({ name: 'find_address', arguments: { value: 'the score' } })
    check(prompt.messages[0].content.text.includes('the score'), JSON.stringify(prompt))
  })
}

for (const [name, open] of clients.slice(0, 4)) {
  test(`${name}: gets an update when the screen changes`, async () => {
    const client = await open()
    try {
      const updates = []
      const handler = update => { updates.push(update.params.uri) }
      if (isFirst(client)) client.setNotificationHandler(ResourceUpdatedNotificationSchema, handler)
      else client.setNotificationHandler('notifications/resources/updated', handler)
      await client.subscribeResource({ uri: 'mgba://emulators/1/screen' })
      await until(async () => {
        await person.send('POST', '/v2/keys/tap', { keys: ['Start'], wait: true })
        return updates.length >= 2
      }, 'two updates')
      equal([...new Set(updates)], ['mgba://emulators/1/screen'], 'what has changed')
      await client.unsubscribeResource({ uri: 'mgba://emulators/1/screen' })
    } finally {
      await client.close()
    }
  })
}

test('agents over both transports and a person play together: every press is accounted for', async t => {
  const seconds = Number(process.env.PLAY_SECONDS ?? 10)
  const [first, second] = [await clients[0][1](), await clients[3][1]()]
  const keys = ['A', 'B', 'Select', 'Start', 'Right', 'Left', 'Up', 'Down', 'R', 'L']
  const before = await Promise.all(keys.map((_, key) => person.edges(key)))
  const [made, refused] = [Array(10).fill(0), { first: 0, second: 0, person: 0 }]
  const takes = { first: 0, second: 0, person: 0 }
  const end = Date.now() + seconds * 1000
  let round = 0

  // an agent presses its keys; now and then it takes control for some presses
  async function agent(client, name, own) {
    while (Date.now() < end) {
      const key = own[round++ % own.length]
      const times = 1 + (round % 3)
      const controls = round % 4 === 0 && await tryTool(client, 'take_control', { seconds: 30 })
      takes[name] += controls ? 1 : 0
      if (await tryTool(client, 'press', { keys: `${keys[key]} 2, wait 1`, times, settle: 1, picture: round % 5 === 0 ? 'changes' : 'none' })) made[key] += times
      else refused[name]++
      if (controls) await call(client, 'give_back')
    }
  }

  async function tryTool(client, name, parameters) {
    const result = await client.callTool({ name, arguments: parameters })
    if (!result.isError) return true
    check(/has control of this game|lockstep lease/.test(result.content[0].text), `${name}: ${result.content[0].text}`)
    return false
  }

  async function human() {
    while (Date.now() < end) {
      if (round % 7 === 0) {
        const lease = await person.send('POST', '/v2/lease', { limitMs: 10000 })
        check([200, 423].includes(lease.status), JSON.stringify(lease))
        if (lease.status === 200) {
          takes.person++
          for (let frame = 0; frame < 5; frame++) {
            const step = await person.send('POST', '/v2/lease/step', { frames: 2, keys: frame % 2 === 0 ? ['Down'] : [] })
            equal(step.status, 200, JSON.stringify(step))
          }
          made[7] += 3
          equal((await person.send('DELETE', '/v2/lease')).status, 200, 'release')
        }
      }
      const tap = await person.send('POST', '/v2/keys/tap', { keys: ['R'], frames: 2, wait: true })
      check([200, 423].includes(tap.status), JSON.stringify(tap))
      if (tap.status === 200) made[8]++
      else refused.person++
    }
  }

  try {
    await Promise.all([agent(first, 'first', [0, 1]), agent(second, 'second', [4, 9]), human()])
    await person.send('POST', '/v2/wait', { frames: 5 })
    const seen = (await Promise.all(keys.map((_, key) => person.edges(key)))).map((count, key) => count - before[key])
    equal(seen, made, 'presses that the game saw, by key')
    const { agents } = await person.get('/v2/agents')
    const counted = agents.filter(agent => agent.connected).reduce((sum, agent) => sum + agent.presses, 0)
    check(counted >= made[0] + made[1] + made[4] + made[9], `${counted} presses of agents`)
    t.diagnostic(`${seconds} s: ${seen.reduce((a, b) => a + b)} presses, ${made.join('/')} by key; refused while another had control: ${JSON.stringify(refused)}; control taken: ${JSON.stringify(takes)}`)
  } finally {
    await Promise.all([first.close(), second.close()])
  }
})

test('stdio without a running gateway starts one, which ends with the session', async () => {
  const client = await connect(OldClient, new OldStdio({ command: program, args: ['mcp', rom], env: { ...process.env, MGBA_BRIDGE_URL: '' }, stderr: 'pipe' }))
  const { structuredContent } = await call(client, 'emulators')
  equal(structuredContent.emulators.map(emulator => emulator.state), ['ready'], 'the emulator')
  const { structuredContent: seen } = await call(client, 'press', { keys: 'A', picture: 'none' })
  equal(seen.presses, 1, 'presses')
  await client.close()
})

test('the size and the time of observe are small', async t => {
  const client = await clients[0][1]()
  try {
    const [sizes, times] = [[], []]
    for (let index = 0; index < 40; index++) {
      const began = performance.now()
      const result = await call(client, 'observe')
      times.push(performance.now() - began)
      sizes.push(JSON.stringify(result).length)
    }
    const median = list => list.sort((a, b) => a - b)[list.length >> 1]
    check(median(sizes) < 12_288, `median ${median(sizes)} bytes`)
    t.diagnostic(`median ${median(sizes)} bytes, ${median(times).toFixed(1)} ms`)
  } finally {
    await client.close()
  }
})
