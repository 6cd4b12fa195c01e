/** Tools that every agent has. */
import type { ModelTool } from '../../../schemas/agents/models.js'

const TRANSFER = 'transfer_to_human'
const SEARCH = 'search_knowledge'
export const BUILT_IN_NAMES = [TRANSFER, SEARCH] as const

export const transferTool: ModelTool = {
  name: TRANSFER,
  description:
    'Hands the conversation over to a person and ends your part in it. Call it when the customer asks for a person, or when you cannot help.',
  parameters: {
    type: 'object',
    properties: {
      message: {
        type: 'string',
        description: 'Last message to the customer, for example that a person will answer soon.',
      },
    },
    required: ['message'],
    additionalProperties: false,
  },
}

export const searchTool: ModelTool = {
  name: SEARCH,
  description:
    'Searches the knowledge base. Call it when the answer may stand there and is not in the conversation yet.',
  parameters: {
    type: 'object',
    properties: { query: { type: 'string', description: 'What to search for, in a few words.' } },
    required: ['query'],
    additionalProperties: false,
  },
}
