import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { Writable } from 'node:stream'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import * as pretty from 'pino-pretty'
import { createLogger, type Logger } from './logging.js'
import { readableLines } from './readable-lines.js'

const run = promisify(execFile)

describe('a log line', () => {
  it('is one JSON object with time, level and a fixed sentence', () => {
    const [line] = collectLines('info', (logger) =>
      logger.child({ part: 'webhooks' }).info({ attempt: 2 }, 'delivery failed'),
    )
    assert.deepEqual(
      { ...line, time: '' },
      { level: 'info', time: '', part: 'webhooks', attempt: 2, msg: 'delivery failed' },
    )
    assert.match(String(line?.time), /^\d{4}-\d\d-\d\dT.*Z$/)
  })

  it('never shows a token, a key or a secret, also two levels down', () => {
    const token = 'do-not-show'
    const text = JSON.stringify(
      collectLines('debug', (logger) => {
        logger.info({ token, keys: { identity: token } }, 'one')
        logger.info({ headers: { token, admintoken: token, authorization: `Bearer ${token}` } }, 'two')
        logger.info({ request: { headers: { token, cookie: token } }, webhook: { secret: token } }, 'three')
      }),
    )
    assert.doesNotMatch(text, /do-not-show/)
    assert.match(text, /\[redacted\]/)
  })

  it('about an error leaves out its fields that may hold what people wrote', () => {
    const error = Object.assign(new Error('It failed.', { cause: new Error('The store.') }), {
      ...{ code: '23514', table: 'message', detail: 'Failing row contains (do-not-show).', where: 'do-not-show' },
      requestBodyValues: { prompt: 'do-not-show' },
    })
    const lines = collectLines('info', (logger) => {
      logger.warn({ err: error }, 'One.')
      logger.warn({ err: new AggregateError([error], 'Several.') }, 'Two.')
      logger.warn({ err: { text: 'do-not-show' } }, 'Three.')
    })
    const text = JSON.stringify(lines)
    assert.doesNotMatch(text, /do-not-show/)
    for (const part of ['"code":"23514"', '"table":"message"', 'It failed.', 'The store.', 'Several.', 'logging.test'])
      assert.ok(text.includes(part), part)
  })

  it('is not written below the level', () => {
    assert.equal(collectLines('info', (logger) => logger.debug('text of a message')).length, 0)
  })
})

describe('a log line for people', () => {
  it('is time, level, part, sentence and fields in one line', () => {
    const text = readable((logger) =>
      logger.child({ part: 'api' }).info({ host: '127.0.0.1', port: 3000 }, 'The API listens.'),
    )
    assert.match(text, /^\[\d\d:\d\d:\d\d\] INFO \(api\): The API listens\. \{"host":"127\.0\.0\.1","port":3000\}\n$/)
  })

  it('has an error below it with its causes, and where it came from when it is one of ours', () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' })
    const err = new Error('The store does not answer.', { cause: refused })
    assert.match(
      readable((logger) => logger.warn({ err }, 'A batch was not written.')),
      /^\[.*\] WARN: A batch was not written\.\n {4}Error: The store does not answer\.: connect ECONNREFUSED 127\.0\.0\.1:5432\n$/,
    )
    assert.match(
      readable((logger) => logger.error({ err }, 'A call failed.')),
      /\n {4}Error: The store does not answer\.\n {8}at .*logging\.test.*\n(.*\n)* {4}caused by: Error: connect ECONNREFUSED/,
    )
    const both = new AggregateError([refused, new Error('connect ENETUNREACH')])
    assert.match(
      readable((logger) => logger.warn({ err: both }, 'Nobody was reached.')),
      /\n {4}AggregateError: .*\n {8}Error: connect ECONNREFUSED 127\.0\.0\.1:5432\n {8}Error: connect ENETUNREACH\n$/,
    )
  })

  it('shows fields that are called like those of pino as fields', () => {
    assert.match(
      readable((logger) => logger.info({ pid: 7, name: 'Redis', hostname: 'a' }, 'It runs.')),
      /INFO: It runs\. \{"pid":7,"name":"Redis","hostname":"a"\}\n$/,
    )
  })

  it('shows what is not an error under err as a field', () => {
    assert.match(
      readable((logger) => logger.warn({ err: 'gone' }, 'It failed.')),
      /WARN: It failed\. \{"err":"gone"\}\n$/,
    )
  })

  it('never shows a secret', () => {
    const token = 'do-not-show'
    const text = readable((logger) => logger.info({ token, headers: { authorization: token } }, 'one'))
    assert.doesNotMatch(text, /do-not-show/)
    assert.match(text, /\[redacted\]/)
  })

  it('cannot be forged, and moves no cursor, whatever a text from outside holds', () => {
    const name = '\u001b[2J\u009b2Jturned \u202eround\r\n[00:00:00] FATAL: forged'
    const text = readable((logger) =>
      logger.child({ part: name }).warn({ name, err: new Error(name), [name]: 1 }, `Hello ${name}`),
    )
    assert.doesNotMatch(text, /[^\P{Cc}\n]|\p{Bidi_Control}/u)
    assert.deepEqual(text.match(/^\[\d\d:\d\d:\d\d\] \w+/gm)?.length, 1)
    assert.match(text, /\\u001b\[2J\\u009b2Jturned \\u202eround/)
  })
})

describe('the log of the process', () => {
  const program = (format: string | undefined, end: string): string =>
    `import { createLogger, logDestination } from ${JSON.stringify(new URL('logging.js', import.meta.url).href)}
    const config = { level: 'info', format: ${JSON.stringify(format)} }
    createLogger(config, await logDestination(config)).info({ port: 3000 }, 'The API listens.')
    ${end}`
  const killed = "process.kill(process.pid, 'SIGKILL')"
  /** Output before the process ends. */
  const printed = async (command: string, ...args: string[]): Promise<string> => {
    const env = { ...process.env, TERM: 'xterm', NO_COLOR: undefined, NODE_TEST_CONTEXT: undefined }
    return await run(command, args, { env }).then(
      ({ stdout }) => stdout,
      ({ stdout }: { stdout: string }) => stdout,
    )
  }
  const asModule = ['--input-type=module', '--eval']

  it('is JSON where standard output is not a terminal, or as LOG_FORMAT says, and a crash loses no line', async () => {
    const [unset, pretty] = await Promise.all([
      printed(process.execPath, ...asModule, program(undefined, 'process.exit(1)')),
      printed(process.execPath, ...asModule, program('pretty', killed)),
    ])
    assert.equal((JSON.parse(unset ?? '') as { msg: string }).msg, 'The API listens.')
    assert.match(pretty ?? '', /^\[\d\d:\d\d:\d\d\] INFO: The API listens\. \{"port":3000\}\n$/)
  })

  it('is for people on a terminal, in colours, unless LOG_FORMAT says otherwise', {
    skip: withoutScript(),
  }, async () => {
    const onTerminal = (format?: string) => {
      const words = [process.execPath, ...asModule, program(format, 'process.exit()')]
      const command = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
      return printed('script', '--quiet', '--command', command, '/dev/null')
    }
    const [unset, json] = await Promise.all([undefined, 'json'].map((format) => onTerminal(format)))
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are made of them.
    assert.match(unset ?? '', /^\[\d\d:\d\d:\d\d\] \u001b\[32mINFO\u001b\[39m: .*The API listens\..*\{"port":3000\}/)
    assert.equal((JSON.parse(json ?? '') as { msg: string }).msg, 'The API listens.')
  })
})

function readable(work: (logger: Logger) => void): string {
  const toText = readableLines({ pretty, isTerminal: false })
  let text = ''
  const write = (line: string): void => {
    text += toText(line)
  }
  work(createLogger({ level: 'info' }, { write }))
  return text
}

/** The program of util-linux that runs another one on a terminal of its own. */
function withoutScript(): string | false {
  try {
    return execFileSync('script', ['--version']).includes('util-linux') ? false : 'script is not that of util-linux'
  } catch {
    return 'there is no program script'
  }
}

function collectLines(level: string, work: (logger: Logger) => void): Array<Record<string, unknown>> {
  const lines: string[] = []
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  work(createLogger({ level }, sink))
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>)
}
