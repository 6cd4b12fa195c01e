import type { CreateSimpleCampaignReply, CreateSimpleCampaignRequest } from '../../../schemas/generated.js'
import { idempotencyOf } from '../../input/idempotency.js'
import { instanceRoute } from '../../route.js'
import { fileErrors } from '../send/files.js'
import { campaignSendOf, checkVariants } from './content.js'
import { createCampaign } from './create.js'
import { createErrors, headOf, newFolderId, recipientsOf, variantsOf } from './head.js'

export const createSimpleCampaign = instanceRoute<CreateSimpleCampaignRequest>({
  method: 'POST',
  path: '/sender/simple',
  name: 'createSimpleCampaign',
  area: 'Campaign',
  scope: 'send',
  summary: 'Create a campaign that sends one message to many',
  schema: 'sender/simple.json',
  fileFields: ['file', 'thumbnail', 'imagebutton', 'choices[]{}'],
  idempotent: true,
  errors: [...createErrors, ...fileErrors, 'INVALID_NUMBER', 'NOT_SUPPORTED', 'CONVERSION_UNAVAILABLE'],
  async handle(call, context): Promise<CreateSimpleCampaignReply> {
    const { instance, body, warnings, headers } = call
    const idempotency = idempotencyOf(headers, body)
    const head = headOf(body, warnings)
    checkVariants(body)
    const { recipients, invalid } = recipientsOf(
      body.numbers,
      (number) => number,
      body,
      (index) => `numbers[${index}]`,
      instance.defaultCountry,
    )
    if (body.delay !== undefined)
      warnings.push('delay: is the time for which typing is shown; the time between messages is delayMin and delayMax')
    const id = newFolderId()
    const variants = variantsOf(body.variants)
    const message = {
      ...body,
      ...(body.text === undefined && variants[0] !== undefined ? { text: variants[0].text } : {}),
    }
    const send = await campaignSendOf(call, message, { folderId: id, at: '', context })
    const campaign = {
      ...head,
      ...idempotency,
      id,
      send,
      variants,
      recipients: recipients.map(({ address }) => ({ address, send: null })),
      dedupe: body.dedupe !== false,
      ...(body.skipRecentDays === undefined ? {} : { skipRecentDays: body.skipRecentDays }),
    }
    return await createCampaign(call, campaign, invalid, context)
  },
})
