import type { DownloadReply, McpGetMediaReply, McpGetMediaRequest } from '../../../schemas/generated.js'
import { downloadMessage } from '../../routes/message/download.js'
import { defineTool } from '../tool.js'
import { visibleText } from '../visible-text.js'

const TRANSCRIPTION_MAX = 20_000

export const getMedia = defineTool<McpGetMediaRequest, McpGetMediaReply>({
  name: 'get_media',
  title: 'Get the file of a message',
  schema: 'mcp/get-media.json',
  routes: [downloadMessage],
  isReadOnly: true,
  async run({ args: { id, transcribe = false }, ask, warnings }) {
    const { fileURL = '', mimetype, transcription } = await ask<DownloadReply>(downloadMessage, { id, transcribe })
    return {
      link: fileURL,
      untrusted: {
        media_type: visibleText(mimetype, 300),
        transcription: visibleText(transcription, TRANSCRIPTION_MAX),
      },
      warnings,
    }
  },
})
