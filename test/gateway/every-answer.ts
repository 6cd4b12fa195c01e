/** Calls every route of a gateway in several ways, and keeps whatever it answers: for tests of what must not be in an answer. */
import { hasMethodWithBody } from '../../api/route.js'
import { routes } from '../../api/routes.js'
import { loadSchemas } from '../../schemas/schema-registry.js'
import type { Gateway } from '../support/gateway.js'
import { goodBody, wrongBodies } from '../support/wrong-fields.js'

export interface Answered {
  readonly from: string
  readonly status: number
  /** Headers and body. */
  readonly text: string
}

export interface Callers {
  /** The headers of who may call it. */
  readonly headers: Readonly<Record<string, string>>
  /** Of those who may not. */
  readonly strangers: readonly Readonly<Record<string, string>>[]
  /** Operations that are left out. */
  readonly without: readonly string[]
  /** Values for bodies whose schema has the field. */
  readonly fields: Readonly<Record<string, unknown>>
}

const registry = loadSchemas()
/** Of what has no end, the beginning. */
const READ_MS = 300

export async function everyAnswer({ url }: Pick<Gateway, 'url'>, callers: Callers): Promise<readonly Answered[]> {
  const answers: Answered[] = []
  for (const { method, path, name, schema } of routes) {
    if (callers.without.includes(name)) continue
    const request = hasMethodWithBody({ method }) && schema !== undefined ? registry.part(schema, 'request') : undefined
    const good = request === undefined ? undefined : goodBody(request, registry)
    const known = Object.keys((request?.schema.properties ?? {}) as object)
    const filled = {
      ...good,
      ...Object.fromEntries(Object.entries(callers.fields).filter(([key]) => known.includes(key))),
    }
    const wrong = request === undefined ? [] : wrongBodies(request, registry).slice(0, 2)
    const ask = async (headers: Readonly<Record<string, string>>, body: string | undefined) => {
      const answer = await fetch(url + path.replace(/:\w+/g, 'x'), {
        method,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body }),
      })
      const text = `${JSON.stringify([...answer.headers])} ${await readBeginning(answer)}`
      answers.push({ from: `${name} ${answer.status} ${body?.slice(0, 200) ?? ''}`, status: answer.status, text })
    }
    const whole = method === 'POST' ? JSON.stringify(filled) : undefined
    await Promise.all([
      ask(callers.headers, whole),
      ...wrong.map(({ body }) => ask(callers.headers, JSON.stringify(body))),
      ...(method === 'POST' ? [ask(callers.headers, '{"broken')] : []),
      ...callers.strangers.map((headers) => ask(headers, whole)),
    ])
  }
  return answers
}

async function readBeginning(answer: Response): Promise<string> {
  const reader = answer.body?.getReader()
  if (reader === undefined) return ''
  const decoder = new TextDecoder()
  const timer = setTimeout(() => void reader.cancel(), READ_MS)
  let text = ''
  for (;;) {
    const { value, done } = await reader.read()
    if (done) break
    text += decoder.decode(value, { stream: true })
  }
  clearTimeout(timer)
  return text
}
