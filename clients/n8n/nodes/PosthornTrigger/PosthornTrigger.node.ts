import {
  type IDataObject,
  type IHookFunctions,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
  NodeConnectionTypes,
} from 'n8n-workflow'
import { addWebhook, deleteWebhook, listWebhooks } from '../../shared/gateway'
import { signedBody } from '../../shared/signed-body'
import { eventOptions, filterOptions } from '../Posthorn/generated'

/** Ids of deliveries that are remembered, to leave out doubles. */
const REMEMBERED = 500

/** Data that n8n keeps for the node. */
interface Kept extends IDataObject {
  webhookId?: string
  secret?: string
  seen?: string[]
}

export class PosthornTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Posthorn Trigger',
    name: 'posthornTrigger',
    icon: { light: 'file:../../icons/posthorn.svg', dark: 'file:../../icons/posthorn.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: '={{$parameter["events"].join(", ")}}',
    description: 'Starts the workflow when something happens in a WhatsApp account',
    defaults: { name: 'Posthorn Trigger' },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'posthornApi', required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'posthorn' }],
    properties: [
      {
        displayName: 'Events',
        name: 'events',
        type: 'multiOptions',
        options: eventOptions,
        default: ['messages'],
        required: true,
        description: 'Kinds of events that start the workflow',
      },
      {
        displayName: 'Leave Out Messages',
        name: 'excludeMessages',
        type: 'multiOptions',
        options: filterOptions,
        default: ['wasSentByApi'],
        description:
          'Messages that do not start the workflow. Without messages sent by the API, a workflow does not start itself.',
      },
    ],
  }

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        const { webhookId, secret } = this.getWorkflowStaticData('node') as Kept
        if (webhookId === undefined || secret === undefined) return false
        const url = this.getNodeWebhookUrl('default')
        return (await listWebhooks(this)).some((one) => one.id === webhookId && one.url === url)
      },

      async create(this: IHookFunctions): Promise<boolean> {
        const kept = this.getWorkflowStaticData('node') as Kept
        const events = this.getNodeParameter('events') as string[]
        const excludeMessages = this.getNodeParameter('excludeMessages', []) as string[]
        const url = String(this.getNodeWebhookUrl('default'))
        const { id, secret } = await addWebhook(this, url, events, { excludeMessages })
        Object.assign(kept, { webhookId: id, secret, seen: [] })
        return true
      },

      async delete(this: IHookFunctions): Promise<boolean> {
        const kept = this.getWorkflowStaticData('node') as Kept
        const { webhookId } = kept
        if (webhookId !== undefined && (await listWebhooks(this)).some((one) => one.id === webhookId))
          await deleteWebhook(this, webhookId)
        delete kept.webhookId
        delete kept.secret
        delete kept.seen
        return true
      },
    },
  }

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const kept = this.getWorkflowStaticData('node') as Kept
    const delivery = await signedBody(this.getRequestObject(), kept.secret ?? '')
    if (kept.secret === undefined || delivery === null) {
      // The gateway repeats it for hours, so a wrong secret can be mended.
      this.getResponseObject().status(401).json({ error: 'The signature does not fit.' })
      return { noWebhookResponse: true }
    }
    const seen = kept.seen ?? []
    if (seen.includes(delivery.id)) return { webhookResponse: 'seen before' }
    kept.seen = [...seen, delivery.id].slice(-REMEMBERED)
    return { workflowData: [this.helpers.returnJsonArray(delivery.event as never)] }
  }
}
