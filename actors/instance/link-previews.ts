/** The large picture of a link preview: what is sent with it, and without it when it cannot be brought to the network. */

import type { TextContent } from '../../schemas/send-content.js'
import type { UploadedMedia } from '../network/port/media.js'
import type { OutgoingContent } from '../network/port/messages.js'

/** A text does not wait longer for the picture beside it. */
const UPLOAD_MAX_MS = 10_000

/** None when they fail or take too long: the text is what matters. */
export async function forPreview(uploads: Promise<readonly UploadedMedia[]>): Promise<readonly UploadedMedia[]> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<readonly UploadedMedia[]>((resolve) => {
    timer = setTimeout(resolve, UPLOAD_MAX_MS, [])
  })
  try {
    return await Promise.race([uploads.catch(() => []), late])
  } finally {
    clearTimeout(timer)
  }
}

export function previewed(
  content: TextContent,
  [uploaded]: readonly UploadedMedia[],
  warnings: readonly string[],
): { readonly outgoing: OutgoingContent; readonly warnings: readonly string[] } {
  if (content.linkPreview?.picture === undefined) return { outgoing: content, warnings }
  if (uploaded !== undefined) return { outgoing: { ...content, uploaded }, warnings }
  const warning = 'linkPreviewLarge: the picture could not be brought to the network, so it is shown small'
  return { outgoing: content, warnings: [...warnings, warning] }
}
