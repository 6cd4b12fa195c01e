import { createHash, createHmac, randomBytes } from 'node:crypto'
import {
  type IDataObject,
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
  NodeConnectionTypes,
  NodeOperationError,
} from 'n8n-workflow'
import { addWebhook, ask, deleteWebhook, listWebhooks } from '../../shared/gateway'
import { signedBody } from '../../shared/signed-body'

/** Field of the address that names a wait: chance, the chat and the end in seconds. */
const WAIT = 'posthornWait'

interface Sent {
  readonly chatid: string
  readonly chatlid?: string
}

interface Received {
  readonly message?: { readonly chatid?: string; readonly chatlid?: string; readonly fromMe?: boolean }
}

// The webhook of a wait belongs to one execution: `execute` makes it, and `webhook` ends it. As a tool of an agent the node could not wait.
// eslint-disable-next-line @n8n/community-nodes/webhook-lifecycle-complete, @n8n/community-nodes/node-usable-as-tool
export class PosthornSendAndWait implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Posthorn Send and Wait',
    name: 'posthornSendAndWait',
    icon: { light: 'file:../../icons/posthorn.svg', dark: 'file:../../icons/posthorn.dark.svg' },
    group: ['output'],
    version: 1,
    subtitle: '={{$parameter["number"]}}',
    description: 'Sends a question to a WhatsApp chat and waits for the next message of the other side',
    defaults: { name: 'Send and Wait' },
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'posthornApi', required: true }],
    webhooks: [
      {
        name: 'default',
        httpMethod: 'POST',
        responseMode: 'onReceived',
        path: '',
        restartWebhook: true,
        isFullPath: true,
      },
    ],
    properties: [
      {
        displayName: 'To',
        name: 'number',
        type: 'string',
        default: '',
        required: true,
        placeholder: '5511999990002',
        description: 'Number with country code, or JID of a person or group',
      },
      {
        displayName: 'Text',
        name: 'text',
        type: 'string',
        typeOptions: { rows: 3 },
        default: '',
        required: true,
        description: 'The question',
      },
      {
        displayName: 'Choices',
        name: 'choices',
        type: 'string',
        typeOptions: { multipleValues: true },
        default: [],
        description: 'Shown as buttons, or as a list if there are more than 3. Without choices a text is sent.',
      },
      {
        displayName: 'Wait at Most (Minutes)',
        name: 'minutes',
        type: 'number',
        typeOptions: { minValue: 1, maxValue: 43200 },
        default: 60,
        description: 'After that the workflow continues with the input of this node',
      },
      {
        displayName: 'Idempotency Key',
        name: 'key',
        type: 'string',
        default: '',
        description:
          'Under the same key the question is sent once. Left empty, each run of this node has its own, also when n8n retries it.',
      },
    ],
  }

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const items = this.getInputData()
    if (items.length !== 1)
      throw new NodeOperationError(
        this.getNode() as never,
        `This node takes one item, and got ${items.length}. Put it into a loop.`,
      )
    const minutes = Number(this.getNodeParameter('minutes', 0))
    const until = new Date(Date.now() + minutes * 60_000)
    await endOldWaits(this)
    const { token } = await this.getCredentials('posthornApi')
    const resumeUrl = String(this.evaluateExpression('{{ $execution.resumeUrl }}', 0))
    const name = `${randomBytes(9).toString('hex')}.${Math.ceil(until.getTime() / 1000)}`
    const url = `${resumeUrl}${resumeUrl.includes('?') ? '&' : '?'}${WAIT}=${name}`
    // Begins to listen before the question leaves, because an answer may be quick.
    const { id } = await addWebhook(this, url, ['messages'], {
      secret: findSecret(String(token), name),
      excludeMessages: ['fromMeYes'],
    })
    let isReady = false
    try {
      const chats = encodeURIComponent(listChats(await send(this, parseKey(this, resumeUrl))).join(','))
      await ask(this, 'POST', '/webhook', { action: 'update', id, url: `${url}&chat=${chats}` })
      await this.putExecutionToWait(until)
      isReady = true
    } finally {
      if (!isReady) await deleteWebhook(this, id).catch(() => {})
    }
    return [items]
  }

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const query = this.getQueryData() as IDataObject
    const name = String(query[WAIT] ?? '')
    const { token } = await this.getCredentials('posthornApi')
    const delivery = await signedBody(this.getRequestObject(), findSecret(String(token), name))
    if (delivery === null) {
      this.getResponseObject().status(401).json({ error: 'The signature does not fit.' })
      return { noWebhookResponse: true }
    }
    if (query.chat === undefined) {
      // The question is just being sent. The gateway repeats the delivery, to the address that names the chat.
      this.getResponseObject().status(503).json({ error: 'The question is not sent yet.' })
      return { noWebhookResponse: true }
    }
    const { message } = delivery.event as Received
    const chats = String(query.chat).split(',')
    const isAnswer =
      message !== undefined &&
      message.fromMe !== true &&
      listChats(message as Sent).some((chat) => chats.includes(chat))
    // A message of another chat, or from before the question: the workflow goes on waiting.
    if (!isAnswer) return { webhookResponse: 'not the answer' }
    const own = (await listWebhooks(this)).find(({ url }) => url.includes(`${WAIT}=${name}`))
    if (own !== undefined) await deleteWebhook(this, own.id)
    return { workflowData: [this.helpers.returnJsonArray(delivery.event as never)] }
  }
}

/** Returns the key under which this run sends its question once: n8n may run the node again, after a failure that came later. */
function parseKey(context: IExecuteFunctions, resumeUrl: string): string {
  const given = String(context.getNodeParameter('key', 0, '') ?? '')
  if (given !== '') return given
  const { id } = context.getNode() as { id?: string }
  // The address has the host of n8n and the number of the execution.
  const run = [resumeUrl, context.evaluateExpression('{{ $workflow.id }}', 0), id]
  const text = JSON.stringify([...run, context.evaluateExpression('{{ $runIndex }}', 0)])
  return `n8n-${createHash('sha256').update(text).digest('hex')}`
}

async function send(context: IExecuteFunctions, key: string): Promise<Sent> {
  const headers = { 'Idempotency-Key': key }
  const body = { number: context.getNodeParameter('number', 0), text: context.getNodeParameter('text', 0) }
  const choices = (context.getNodeParameter('choices', 0, []) as string[]).filter((choice) => choice !== '')
  if (choices.length === 0) return await ask<Sent>(context, 'POST', '/send/text', body, headers)
  const menu = choices.length > 3 ? { type: 'list', listButton: '…' } : { type: 'button' }
  const question = { ...body, ...menu, choices, fallback: true }
  return await ask<Sent>(context, 'POST', '/send/menu', question, headers)
}

/** Deletes the webhooks of waits that have ended without an answer: n8n does not tell a node that its time is over. */
async function endOldWaits(context: IExecuteFunctions): Promise<void> {
  for (const { id, url } of await listWebhooks(context)) {
    const ends = new RegExp(`[?&]${WAIT}=[0-9a-f]+\\.(\\d+)`).exec(url)?.[1]
    if (ends !== undefined && Number(ends) * 1000 < Date.now()) await deleteWebhook(context, id)
  }
}

/** Returns the secret of a wait. Nothing needs to be kept, and who knows the address still cannot sign. */
function findSecret(token: string, name: string): string {
  return `whsec_${createHmac('sha256', token).update(`${WAIT} ${name}`).digest('base64')}`
}

function listChats({ chatid, chatlid = '' }: Sent): string[] {
  return [chatid, chatlid].filter((chat) => chat !== '')
}
