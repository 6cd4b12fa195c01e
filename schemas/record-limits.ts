/**
 * How many records of a kind callers may keep for an instance, and how much all of them may hold. What the network tells is kept
 * whatever these say. The descriptions of the requests name the figures.
 */
import { GatewayError } from './errors.js'

export interface RecordLimit {
  /** The plural for people. */
  readonly records: string
  readonly countMax: number
  /** Of all texts of all of them, in UTF-8. */
  readonly bytesMax: number
}

/** A list is one answer that is put together in memory, and so is that to an edit of a quick reply: 16 bodies (`BODY_LIMIT_BYTES`). */
const LIST_BYTES_MAX = 16 * 2 ** 20

// Many times what a person finds by typing a shortcut.
export const quickReplyLimit: RecordLimit = {
  records: 'quick replies',
  countMax: 500,
  bytesMax: LIST_BYTES_MAX,
}
/** Counted apart: what the phone has does not take the place of what is kept here. */
export const phoneQuickReplyLimit: RecordLimit = { ...quickReplyLimit, records: 'quick replies on the phone' }
// An agent gets all of them.
export const functionLimit: RecordLimit = { records: 'functions', countMax: 200, bytesMax: LIST_BYTES_MAX }
export const knowledgeLimit: RecordLimit = {
  records: 'entries of knowledge',
  countMax: 1_000,
  bytesMax: LIST_BYTES_MAX,
}
// A prompt has up to 50,000 characters.
export const agentLimit: RecordLimit = { records: 'agents', countMax: 50, bytesMax: 4 * 2 ** 20 }
// The owner of an instance has their words in memory.
export const triggerLimit: RecordLimit = { records: 'triggers', countMax: 200, bytesMax: 128 * 2 ** 10 }

/** Chunks of all entries of an instance. The search compares a question with each of them. */
export const KNOWLEDGE_CHUNKS_MAX = 10_000

/** People to whom campaigns send nothing. They are read page by page, so only their number counts. Opting out is never refused. */
export const suppressionLimit = { countMax: 1_000_000, reasonLengthMax: 200 }

/** The records before one is saved. */
export interface KeptRecords {
  readonly count: number
  readonly bytes: number
  /** Of the one that is saved; null when it is a new one. */
  readonly formerBytes: number | null
}

/**
 * An edit that makes a record no larger is never refused, even where there is too much already.
 * `field`: of the request, which holds the most of it.
 * @throws GatewayError RECORD_LIMIT
 */
export function refuseBeyond(limit: RecordLimit, kept: KeptRecords, bytes: number, field: string): void {
  const { records, countMax, bytesMax } = limit
  if (kept.formerBytes === null && kept.count >= countMax)
    throw new GatewayError('RECORD_LIMIT', {
      message: `There are ${countMax} ${records} already; delete one before adding another.`,
      details: [{ field: 'id', why: `is that of no record, and there are ${countMax} ${records} already` }],
    })
  const formerBytes = kept.formerBytes ?? 0
  if (bytes <= formerBytes || kept.bytes - formerBytes + bytes <= bytesMax) return
  const left = Math.max(0, bytesMax - (kept.bytes - formerBytes))
  throw new GatewayError('RECORD_LIMIT', {
    message: `All ${records} together hold at most ${bytesMax} bytes; shorten or delete some.`,
    details: [{ field, why: `makes ${bytes} bytes of the record, and there is room for ${left}` }],
  })
}

/** As they are counted. */
export function countBytes(texts: readonly (string | Uint8Array | null)[]): number {
  return texts.reduce((sum, text) => sum + (text === null ? 0 : Buffer.byteLength(text)), 0)
}
