import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { describe, it } from 'node:test'
import { createLogger } from './logging.js'

describe('a log line', () => {
  it('is one JSON object with time, level and a fixed sentence', () => {
    const [line] = linesOf('info', (logger) =>
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
      linesOf('debug', (logger) => {
        logger.info({ token, keys: { identity: token } }, 'one')
        logger.info({ headers: { token, admintoken: token, authorization: `Bearer ${token}` } }, 'two')
        logger.info({ request: { headers: { token, cookie: token } }, webhook: { secret: token } }, 'three')
      }),
    )
    assert.doesNotMatch(text, /do-not-show/)
    assert.match(text, /\[redacted\]/)
  })

  it('is not written below the level', () => {
    assert.equal(linesOf('info', (logger) => logger.debug('text of a message')).length, 0)
  })
})

function linesOf(
  level: string,
  work: (logger: ReturnType<typeof createLogger>) => void,
): Array<Record<string, unknown>> {
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
