import { isChannelJid } from '../../../schemas/channel.js'
import type { ChatAddress } from '../../../schemas/jid.js'
import type { SendContent } from '../../../schemas/send-content.js'
import { filesOf } from '../../../schemas/send-content.js'
import type { UploadedMedia } from '../../network/port/media.js'
import type { SendsContext } from './context.js'
import { previewUploads } from './link-previews.js'

/** Uploads the files of a send before its turn in its chat, so that other messages do not wait for them. */
export function uploadFiles(
  { connection, files }: SendsContext,
  content: SendContent,
  chat: ChatAddress,
): Promise<readonly UploadedMedia[]> {
  const isPost = chat.group !== undefined && isChannelJid(chat.group)
  // A channel shows the small picture of a link preview only.
  const all = isPost && content.kind === 'text' ? [] : filesOf(content)
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
  for (const { file } of filesOf(content)) void files.release(file)
}
