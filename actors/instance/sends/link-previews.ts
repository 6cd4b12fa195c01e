/** The large picture of a link preview. A text is sent without it if it cannot be uploaded. */

import { withTimeLimit } from '../../../lib/time-limit.js'
import type { TextContent } from '../../../schemas/send-content.js'
import type { UploadedMedia } from '../../network/port/media.js'
import type { OutgoingContent } from '../../network/port/messages.js'

/** Maximum time that a text waits for its picture. */
const UPLOAD_MAX_MS = 10_000

/** Resolves to no uploads if they fail or take too long, because the text matters more. */
export function previewUploads(uploads: Promise<readonly UploadedMedia[]>): Promise<readonly UploadedMedia[]> {
  const noUploads = () => []
  return withTimeLimit(uploads.catch(noUploads), UPLOAD_MAX_MS, noUploads)
}

/** Returns a text with its picture; with a warning if the picture is missing. */
export function withPreviewPicture(
  content: TextContent,
  [uploaded]: readonly UploadedMedia[],
  warnings: readonly string[],
): { readonly outgoing: OutgoingContent; readonly warnings: readonly string[] } {
  if (content.linkPreview?.picture === undefined) return { outgoing: content, warnings }
  if (uploaded !== undefined) return { outgoing: { ...content, uploaded }, warnings }
  const warning = 'linkPreviewLarge: the picture could not be brought to WhatsApp, so it is shown small'
  return { outgoing: content, warnings: [...warnings, warning] }
}
