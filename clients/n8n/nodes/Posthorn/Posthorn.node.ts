import { type INodeType, type INodeTypeDescription, NodeConnectionTypes } from 'n8n-workflow'
import { properties } from './generated'

export class Posthorn implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Posthorn',
    name: 'posthorn',
    icon: { light: 'file:../../icons/posthorn.svg', dark: 'file:../../icons/posthorn.dark.svg' },
    group: ['transform'],
    version: 1,
    subtitle: '={{$parameter["operation"]}}',
    description: 'Sends and reads WhatsApp messages, and manages chats, groups and campaigns',
    defaults: { name: 'Posthorn' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'posthornApi', required: true }],
    requestDefaults: {
      baseURL: '={{$credentials.url.replace(/\\/+$/, "")}}',
      headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
    },
    properties,
  }
}
