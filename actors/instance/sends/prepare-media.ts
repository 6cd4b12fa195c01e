import { withTimeLimit } from '../../../lib/time-limit.js'
import { isChannelJid } from '../../../schemas/channel.js'
import type { ChatAddress } from '../../../schemas/jid.js'
import { listContentFiles, type SendContent, type TextContent } from '../../../schemas/send-content.js'
import type { UploadedMedia } from '../../network/port/media.js'
import type { OutgoingContent } from '../../network/port/messages.js'
import type { SendsContext } from './context.js'

/** Uploads the files of a send before its turn in its chat, so that other messages do not wait for them. */
export function uploadFiles(
  { connection, files }: SendsContext,
  content: SendContent,
  chat: ChatAddress,
): Promise<readonly UploadedMedia[]> {
  const isPost = chat.group !== undefined && isChannelJid(chat.group)
  // A channel shows the small picture of a link preview only.
  const all = isPost && content.kind === 'text' ? [] : listContentFiles(content)
  const asked = Promise.all(
    all.map(async ({ media, file }) => (await connection()).media.upload(media, files.read(file), isPost)),
  )
  const uploads = content.kind === 'text' ? previewUploads(asked) : asked
  // A failed upload is reported when the message is composed.
  uploads.catch(() => {})
  return uploads
}

/** Deletes the files of a send, which are on the network; the row of the message holds their addresses. */
export function releaseFiles({ files }: SendsContext, content: SendContent): void {
  for (const { file } of listContentFiles(content)) void files.release(file)
}

/** The large picture of a link preview. A text is sent without it if it cannot be uploaded. */

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
