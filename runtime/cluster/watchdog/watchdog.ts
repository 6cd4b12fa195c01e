/**
 * Watches the event loop of the main thread from another thread. Reports what runs when it is blocked for long, and ends the process at the
 * limit at which its lease is not renewed, so that whoever started it starts it again.
 */
import { writeSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { readableStack } from '../../readable-stack.js'
import { findWorstHealth, type HealthPlace, type HealthState, serveHealth } from './health-server.js'
import { exitFromMain, type MainSample, sampleMain } from './main-thread.js'
import { LOOK_MS, LoopWatch, type WatchLimits } from './watch.js'

/** Exit code of a process that has ended itself because its event loop was blocked. `EX_SOFTWARE` of sysexits.h. */
const BLOCKED_EXIT_CODE = 70

export interface WatchdogSettings extends WatchLimits {
  /** Null if nothing answers probes. */
  readonly health: HealthPlace | null
  /** Fields of every log line; as those of the logger of the process. */
  readonly logFields: Readonly<Record<string, unknown>>
  /** True if log lines are for people, else they are JSON. */
  readonly isPretty: boolean
}

export interface WatchdogParts {
  readonly seenMs: () => number
  readonly nowMs: () => number
  /** True while somebody debugs the main thread, which then stands for as long as they like. */
  readonly isDebugged: () => boolean
  /** Returns the states of the other processes of the machine, if this thread answers for them. */
  readonly others?: () => Promise<readonly HealthState[]>
  /** Notes the end that follows, durably. */
  readonly ending?: (sample: MainSample) => Promise<void>
}

const STDOUT = 1
const SAMPLE_WITHIN_MS = 3_000
/** A second look, after one that was too short for a busy machine or met a call of native code. */
const LATE_SAMPLE_WITHIN_MS = 30_000
const END_WITHIN_MS = 1_500
const EXIT_AGAIN_MS = 50

export function startWatchdog(settings: WatchdogSettings, parts: WatchdogParts): void {
  const watch = new LoopWatch(settings)
  let sampling: Promise<MainSample> | undefined
  const log = (level: string, fields: object, msg: string): void => writeLine(settings, level, fields, msg)

  async function report(): Promise<MainSample> {
    const blockedMs = Math.round(watch.blockedMs)
    const sample = await readableSample(SAMPLE_WITHIN_MS)
    log('error', { blockedMs, work: sample.described, stack: sample.stack }, 'The event loop is blocked.')
    return sample.stack.length > 0 ? sample : await readableSample(LATE_SAMPLE_WITHIN_MS)
  }

  async function end(): Promise<void> {
    if (parts.isDebugged()) return
    const sample = (await Promise.race([sampling, pause(SAMPLE_WITHIN_MS)])) ?? NO_SAMPLE
    const { described: work, stack } = sample
    const fields = { blockedMs: Math.round(watch.blockedMs), work, stack, exitCode: BLOCKED_EXIT_CODE }
    log('fatal', fields, 'The event loop was blocked for too long: the process ends itself.')
    await parts.ending?.(sample).catch((error: unknown) => log('error', { reason: String(error) }, NOT_NOTED))
    await exitSoon(parts.nowMs)
    // Native code that does not end cannot be interrupted. Process 1 of a container survives this; a probe of HEALTH_PORT ends it.
    process.kill(process.pid, 'SIGKILL')
  }

  setInterval(() => {
    const act = watch.look({ nowMs: parts.nowMs(), seenMs: parts.seenMs() })
    if (act.type === 'report') sampling = report()
    else if (act.type === 'end') void end()
    else if (act.type === 'over') log('warn', { blockedMs: Math.round(act.blockedForMs) }, 'The event loop runs again.')
  }, LOOK_MS).unref()
  if (settings.health === null) return
  const own = (): HealthState => ({ isOverLimit: watch.isOverLimit && !parts.isDebugged(), blockedMs: watch.blockedMs })
  serveHealth(
    settings.health,
    async () => findWorstHealth([own(), ...((await parts.others?.()) ?? [])]),
    ({ code = '' }) => log('error', { code, ...settings.health }, 'Nothing answers on HEALTH_PORT.'),
  )
}

/** Tries until the time is over, since an interruption can meet a moment at which nothing can be evaluated. */
async function exitSoon(nowMs: () => number): Promise<void> {
  const endMs = nowMs() + END_WITHIN_MS
  for (let leftMs = END_WITHIN_MS; leftMs > 0; leftMs = endMs - nowMs()) {
    await exitFromMain(BLOCKED_EXIT_CODE, leftMs)
    await pause(EXIT_AGAIN_MS)
  }
}

const NO_SAMPLE: MainSample = { stack: [], described: null }
const NOT_NOTED = 'The work that blocked the event loop could not be noted.'

async function readableSample(withinMs: number): Promise<MainSample> {
  const sample = await sampleMain(withinMs)
  return { ...sample, stack: sample.stack.map(readableStack) }
}

/** Writes past the main thread, which writes for all other threads. */
function writeLine({ logFields, isPretty }: WatchdogSettings, level: string, fields: object, msg: string): void {
  const facts = { ...logFields, part: 'watchdog', ...fields }
  const line = isPretty
    ? `${level.toUpperCase()} ${msg} ${JSON.stringify(facts)}\n`
    : `${JSON.stringify({ level, time: new Date().toISOString(), ...facts, msg })}\n`
  try {
    writeSync(STDOUT, line)
  } catch {
    // A reader that is away or slow must not keep the process from ending.
  }
}
