import type { PreparedFile, SendContent } from './send-content.js'

/** Returns the files of a content. */
export function filesOf(content: SendContent): readonly PreparedFile<PreparedFile['media'] | 'preview'>[] {
  if (content.kind === 'media') return content.hd === undefined ? [content] : [content, content.hd]
  if (content.kind === 'text') return content.linkPreview?.picture === undefined ? [] : [content.linkPreview.picture]
  return 'files' in content ? (content.files ?? []) : []
}
