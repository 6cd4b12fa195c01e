import type { HistoryMessage, TurnChat } from '../../schemas/agents/turns.js'

// Bound: 65,536, an answer, an argument or a text of a message.

/** Answers to one chat within ten minutes, after which it is a loop. */
const REPLIES_MAX = 12
/** Equal messages of a person in a row, each after an answer. */
const EQUAL_MAX = 3
/** A short message, `yes` for example, may well be repeated. */
const EQUAL_LENGTH_MIN = 15
/** Messages in a row that each came so soon after ours that no person can have written them. */
const SOON_MAX = 5
const SOON_MS = 2_000
const WHOLE_SECOND_MS = 1_000

/** Pause of a chat in which two programs seem to write to each other. */
export const LOOP_PAUSE_MS = 60 * 60_000

/** Returns why a chat looks like two programs that answer each other; null if it does not. */
export function loopReason(
  history: readonly HistoryMessage[],
  { repliesOfTenMinutes }: Pick<TurnChat, 'repliesOfTenMinutes'>,
): string | null {
  if (repliesOfTenMinutes >= REPLIES_MAX) return `The agent answered ${REPLIES_MAX} times within 10 minutes.`
  const answers = history.filter((message, index) => !message.fromMe && history[index - 1]?.fromMe === true)
  if (areEqual(answers.slice(-EQUAL_MAX))) return `The contact sent the same message ${EQUAL_MAX} times.`
  const soon = answers.slice(-SOON_MAX).filter(({ atMs, position }) => isSoon(atMs, findPrevious(history, position)))
  if (soon.length === SOON_MAX) return `The contact answered ${SOON_MAX} times within ${SOON_MS / 1_000} seconds.`
  return null
}

function areEqual(messages: readonly HistoryMessage[]): boolean {
  const texts = new Set(messages.map(({ text }) => bareText(text)))
  return (
    messages.length === EQUAL_MAX && texts.size === 1 && [...texts].every((text) => text.length >= EQUAL_LENGTH_MIN)
  )
}

/** Returns a text without case, digits, marks and repeated spaces, which programs vary. */
function bareText(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}]+/gu, ' ')
    .trim()
}

function findPrevious(history: readonly HistoryMessage[], position: number): HistoryMessage | undefined {
  return history[history.findIndex((message) => message.position === position) - 1]
}

/** A message that was written before ours is no answer to it, although it came later. WhatsApp tells whole seconds. */
function isSoon(atMs: number, before: HistoryMessage | undefined): boolean {
  if (before === undefined) return false
  const afterMs = atMs - before.atMs
  return afterMs > -WHOLE_SECOND_MS && afterMs < SOON_MS
}
