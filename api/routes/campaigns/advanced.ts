import type { CampaignSend } from '../../../schemas/campaign.js'
import type { CreateAdvancedCampaignReply, CreateAdvancedCampaignRequest } from '../../../schemas/generated.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import type { NewRecipient } from '../../../schemas/ports/campaigns.js'
import { readIdempotency } from '../../input/idempotency.js'
import { type Context, instanceRoute } from '../../route.js'
import { fileErrors } from '../send/files.js'
import { type CampaignCall, makeCampaignSend } from './content.js'
import { createCampaign, releaseCampaignFiles } from './create.js'
import { createErrors, newFolderId, readHead, readRecipientEntries } from './head.js'

// Bound: 1,048,576, a body or header of a request.

type Message = CreateAdvancedCampaignRequest['messages'][number]

/** Maximum of different messages with files, or with previews of links, in one campaign. Equal ones are taken once. */
const FETCHING_MAX = 20

export const createAdvancedCampaign = instanceRoute<CreateAdvancedCampaignRequest>({
  method: 'POST',
  path: '/sender/advanced',
  name: 'createAdvancedCampaign',
  area: 'Campaign',
  scope: 'send',
  summary: 'Create a campaign whose messages differ',
  schema: 'sender/advanced.json',
  fileFields: ['messages[].file', 'messages[].thumbnail', 'messages[].imagebutton', 'messages[].choices[]{}'],
  idempotent: true,
  errors: [...createErrors, ...fileErrors, 'INVALID_NUMBER', 'NOT_SUPPORTED', 'CONVERSION_UNAVAILABLE'],
  async handle(call, context): Promise<CreateAdvancedCampaignReply> {
    const { body, warnings, headers } = call
    const idempotency = readIdempotency(headers, body)
    const head = readHead(body, warnings)
    const readNumber = ({ number }: Message): string => number
    const { recipients, invalid } = readRecipientEntries(
      body.messages,
      readNumber,
      body,
      (index) => `messages[${index}].number`,
      call.instance.defaultCountry,
    )
    const id = newFolderId()
    const contents = new Contents(call, id, context)
    const made: NewRecipient[] = []
    try {
      for (const { entry, address, index } of recipients)
        made.push({ address, send: await contents.of(entry, `messages[${index}].`) })
    } catch (error) {
      contents.release()
      throw error
    }
    const campaign = { ...head, ...idempotency, id, send: null, variants: [], recipients: made }
    const { dedupe = false, skipRecentDays } = body
    const left = { dedupe, ...(skipRecentDays === undefined ? {} : { skipRecentDays }) }
    return await createCampaign(call, { ...campaign, ...left }, invalid, context)
  },
})

/** The contents of the messages of one campaign. Messages that differ in their recipient only have one. */
class Contents {
  readonly #call: CampaignCall
  readonly #folderId: string
  readonly #context: Context
  readonly #made = new Map<string, CampaignSend>()
  #fetching = 0

  constructor(call: CampaignCall, folderId: string, context: Context) {
    this.#call = call
    this.#folderId = folderId
    this.#context = context
  }

  /** @throws GatewayError */
  async of({ number: _, ...message }: Message, at: string): Promise<CampaignSend> {
    const key = JSON.stringify(message)
    const known = this.#made.get(key)
    if (known !== undefined) return known
    if (isFetching(message)) this.#fetching += 1
    if (this.#fetching > FETCHING_MAX)
      throw invalidField(
        at.replace(/\.$/, ''),
        `is the ${FETCHING_MAX + 1}st different message with a file or a link preview; a campaign has at most ${FETCHING_MAX}`,
      )
    const send = await makeCampaignSend(this.#call, message, { folderId: this.#folderId, at, context: this.#context })
    this.#made.set(key, send)
    return send
  }

  /** Releases the files that were taken. */
  release(): void {
    releaseCampaignFiles(this.#made.values(), this.#context)
  }
}

/** Returns true if something is fetched or stored for a message. */
function isFetching({ file, linkPreview, imageButton, choices = [] }: Omit<Message, 'number'>): boolean {
  return (
    file !== undefined ||
    linkPreview === true ||
    imageButton !== undefined ||
    choices.some((one) => one.startsWith('{'))
  )
}
