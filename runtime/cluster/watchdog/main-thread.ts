/**
 * Looks into the main thread from another one while its event loop is blocked. The debugger of V8 interrupts JavaScript and regular expressions
 * on Node.js 20, 22 and 24; a call of native code first has to end.
 */
import { Session } from 'node:inspector'

// Ours: work of this process.

export interface MainSample {
  /** Functions that run, the innermost first: `name (file:line:column)`. Empty when the thread could not be interrupted in time. */
  readonly stack: readonly string[]
  /** Result of `describe`; null without one. */
  readonly described: unknown
}

/** The main thread could not be interrupted in time. */
const NOTHING: MainSample = { stack: [], described: null }
const FRAMES_MAX = 30

interface CallFrame {
  readonly callFrameId: string
  readonly functionName: string
  readonly url: string
  readonly location: { readonly scriptId: string; readonly lineNumber: number; readonly columnNumber?: number }
}

/** Name under which the main thread keeps a function that describes the work that runs. */
const DESCRIBE_KEY = 'posthorn.work'
const DESCRIBE = `JSON.stringify(globalThis[Symbol.for(${JSON.stringify(DESCRIBE_KEY)})]?.() ?? null)`

/** Interrupts the main thread for a moment, and returns what it runs. Never rejects. */
export function sampleMain(withinMs: number): Promise<MainSample> {
  return interrupt(withinMs, async (session, frames) => {
    const described = await evaluate(session, frames[0], DESCRIBE).catch(() => 'null')
    return { stack: frames.slice(0, FRAMES_MAX).map(shownFrame), described: parsed(described) }
  })
}

/** Makes the main thread end the process with this code, without anything else of it. Resolves only if that has failed. */
export async function exitFromMain(code: number, withinMs: number): Promise<void> {
  await interrupt(withinMs, async (session, frames) => {
    // Functions of Node.js itself have a `process` of their own, which the debugger does not see.
    await evaluate(session, frames[0], `globalThis.process.reallyExit(${code})`)
    return NOTHING
  })
}

async function interrupt(
  withinMs: number,
  look: (session: Session, frames: readonly CallFrame[]) => Promise<MainSample>,
): Promise<MainSample> {
  const session = new Session()
  let timer: NodeJS.Timeout | undefined
  try {
    session.connectToMainThread()
    // Frames name their scripts by number.
    const urls = new Map<string, string>()
    session.on('Debugger.scriptParsed', ({ params }) => urls.set(params.scriptId, params.url))
    const paused = new Promise<readonly CallFrame[]>((resolve) => {
      session.once('Debugger.paused', ({ params }) =>
        resolve((params.callFrames as unknown as CallFrame[]).map((frame) => named(frame, urls))),
      )
    })
    post(session, 'Debugger.enable').catch(() => {})
    post(session, 'Debugger.pause').catch(() => {})
    const isLate = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), withinMs)
    })
    const frames = await Promise.race([paused, isLate])
    if (frames === null) return NOTHING
    return (await Promise.race([look(session, frames), isLate])) ?? NOTHING
  } catch {
    return NOTHING
  } finally {
    clearTimeout(timer)
    // A thread that is paused goes on when the session ends.
    session.disconnect()
  }
}

function named(frame: CallFrame, urls: ReadonlyMap<string, string>): CallFrame {
  return { ...frame, url: frame.url || (urls.get(frame.location.scriptId) ?? '') }
}

function shownFrame({ functionName, url, location }: CallFrame): string {
  const place = `${url}:${location.lineNumber + 1}:${(location.columnNumber ?? 0) + 1}`
  return functionName === '' ? place : `${functionName} (${place})`
}

async function evaluate(session: Session, frame: CallFrame | undefined, expression: string): Promise<unknown> {
  if (frame === undefined) return undefined
  const answer = await post(session, 'Debugger.evaluateOnCallFrame', {
    callFrameId: frame.callFrameId,
    expression,
    returnByValue: true,
    silent: true,
  })
  return (answer as { result?: { value?: unknown } }).result?.value
}

function post(session: Session, method: string, params: object = {}): Promise<unknown> {
  return new Promise((resolve, reject) => {
    session.post(method, params, (error, answer) => (error === null ? resolve(answer) : reject(error)))
  })
}

function parsed(text: unknown): unknown {
  return typeof text === 'string' ? JSON.parse(text) : null
}
