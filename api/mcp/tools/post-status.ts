import type { McpPostStatusReply, McpPostStatusRequest, SendStatusReply } from '../../../schemas/generated.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import { sendStatus } from '../../routes/send/status.js'
import { quotedWords } from '../quoted-words.js'
import { defineTool } from '../tool.js'

const TYPES = { text: 'text', image: 'image', video: 'video', voice: 'ptt' } as const
const SEEN_BY = { setting: 'those whom the phone has set', contacts: 'all contacts' }

export const postStatus = defineTool<McpPostStatusRequest, McpPostStatusReply>({
  name: 'post_status',
  title: 'Post a status',
  schema: 'mcp/post-status.json',
  routes: [sendStatus],
  async run({ args, ask, confirm, warnings }) {
    const { type = 'text', text = '', file, audience = 'setting', recipients } = args
    if (type === 'text' && file !== undefined) throw invalidField('file', 'does not belong to the type text')
    const people = recipients?.length ?? 0
    const seenBy =
      audience === 'allowlist'
        ? `${people} people`
        : audience === 'denylist'
          ? `all contacts but ${people}`
          : SEEN_BY[audience]
    await confirm(
      `Post a status for ${seenBy}? ${quotedWords([text, file ?? ''].filter((one) => one !== '').join(' | '))}`,
    )
    const body = {
      type: TYPES[type],
      audience,
      ...(text === '' ? {} : { text }),
      ...(file === undefined ? {} : { file }),
      ...(recipients === undefined ? {} : { recipients }),
    }
    const { Id: id, status, debug } = await ask<SendStatusReply>(sendStatus, body)
    return { id, status, recipients: debug.recipients, left_out: debug.discarded, warnings }
  },
})
