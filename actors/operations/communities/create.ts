import type { InstanceContext } from '../context.js'
import { exampleGroup } from '../groups/example.js'
import { writeGroupChat } from '../groups/group-chat.js'
import { operation } from '../operation.js'
import { orUnknown } from '../outcome.js'

/** Creates a community. The network makes its announcement group with it. */
export const createCommunity = operation('createCommunity', {
  repeat: false,
  example: exampleGroup,
  async run(context: InstanceContext, { name }: { readonly name: string }) {
    const { groups } = await context.connection()
    const community = await orUnknown(() => groups.createCommunity(name))
    await writeGroupChat(context, community)
    return community
  },
})
