/** The ad behind a message. Types, and the fields that a chat keeps of the first one. */
import type { Ad } from './generated.js'

/** Fields that are not known are absent. */
export type AdSource = Ad

/** Columns of a chat that come from the first ad, with the field of the message's ad. */
export const leadAdFields = {
  lead_adSource: 'source',
  lead_adSourceId: 'sourceId',
  lead_adSourceUrl: 'sourceUrl',
  lead_adSourceApp: 'sourceApp',
  lead_adTitle: 'title',
  lead_adClickId: 'ctwaClid',
  lead_adRef: 'ref',
} as const satisfies Readonly<Record<string, keyof AdSource>>
