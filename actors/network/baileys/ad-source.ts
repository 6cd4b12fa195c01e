import type { proto } from '@whiskeysockets/baileys'
import type { AdSource } from '../../../schemas/ad-source.js'
import { cut as cutText } from '../../../schemas/cut.js'

/** Maximum lengths, as in `schemas/records/ad.json`. An id or a URL that is longer is left out, since a part of it is of no use. */
const TITLE_MAX = 300
const BODY_MAX = 2_000
const URL_MAX = 2_000
const ID_MAX = 500
const PAYLOAD_BYTES_MAX = 6_000

/** Start of the entry points of ads that open a chat (`ctwa_ad`; Baileys issue 2354). Others, as a search or a link, are no ads. */
const AD_ENTRY_POINT = 'ctwa'

type Context = proto.IContextInfo

/**
 * Reads the ad that brought a person to write a message. Returns null for other messages. Since February 2026 some messages have only the
 * payloads and the entry point, without a preview of the ad (Baileys issue 2354). Previews of links use the same field as ads, without
 * these ids.
 */
export function readAdSource(message: proto.IMessage): AdSource | null {
  const context = findContext(message)
  if (context === null || !isFromAd(context)) return null
  const { externalAdReply: ad, utm } = context
  const fields: Record<keyof AdSource, string | number | undefined> = {
    source: id(context.entryPointConversionSource) ?? id(context.conversionSource) ?? id(ad?.sourceType),
    sourceType: id(ad?.sourceType),
    sourceId: id(ad?.sourceId),
    sourceUrl: url(ad?.sourceUrl),
    sourceApp: id(ad?.sourceApp) ?? id(context.entryPointConversionApp),
    title: cut(ad?.title, TITLE_MAX),
    body: cut(ad?.body, BODY_MAX),
    mediaUrl: url(ad?.mediaUrl),
    thumbnailUrl: url(ad?.thumbnailUrl) ?? url(ad?.originalImageUrl),
    ctwaClid: id(ad?.ctwaClid),
    ref: id(ad?.ref),
    conversionSource: id(context.conversionSource),
    conversionData: base64(context.conversionData),
    conversionDelaySeconds: seconds(context.conversionDelaySeconds),
    entryPoint: id(context.entryPointConversionSource),
    entryPointApp: id(context.entryPointConversionApp),
    entryPointDelaySeconds: seconds(context.entryPointConversionDelaySeconds),
    ctwaPayload: base64(context.ctwaPayload),
    ctwaSignals: cut(context.ctwaSignals, BODY_MAX),
    utmSource: id(utm?.utmSource),
    utmCampaign: id(utm?.utmCampaign),
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as AdSource
}

/** Returns the context of the content. A message has one content, beside parts without a context. */
function findContext(message: proto.IMessage): Context | null {
  for (const part of Object.values(message)) {
    const context = (part as { contextInfo?: Context | null } | null | undefined)?.contextInfo
    if (context) return context
  }
  return null
}

function isFromAd(context: Context): boolean {
  const { externalAdReply: ad, conversionData, conversionSource, ctwaPayload, entryPointConversionSource } = context
  if (ad?.ctwaClid || ad?.sourceId || ad?.sourceType === 'ad') return true
  if (ctwaPayload?.length || conversionData?.length || conversionSource) return true
  return entryPointConversionSource?.startsWith(AD_ENTRY_POINT) ?? false
}

function id(text: string | null | undefined): string | undefined {
  return text && text.length <= ID_MAX ? text : undefined
}

function url(text: string | null | undefined): string | undefined {
  return text && text.length <= URL_MAX ? text : undefined
}

function cut(text: string | null | undefined, max: number): string | undefined {
  return text ? cutText(text, max) : undefined
}

function base64(bytes: Uint8Array | null | undefined): string | undefined {
  if (!bytes?.length || bytes.length > PAYLOAD_BYTES_MAX) return undefined
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64')
}

function seconds(value: number | null | undefined): number | undefined {
  return typeof value === 'number' && value >= 0 ? value : undefined
}
