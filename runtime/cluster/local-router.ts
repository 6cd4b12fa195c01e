import type { Command, CommandRouter, ReplyOf } from '../../actors/instance/commands.js'
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId } from '../../schemas/ids.js'
import { ShardMoved } from '../../schemas/shard-moved.js'

export interface LocalRouterOptions {
  /** True while this node owns the instance's shard. */
  readonly isOwner: (instance: InstanceId) => boolean
  readonly ask: <C extends Command>(instance: InstanceId, command: C) => Promise<ReplyOf[C['type']]>
}

/** Commands go to the node that owns the instance. One node owns every shard until nodes can share them, so an owner is here or nowhere. */
export function createLocalRouter({ isOwner, ask }: LocalRouterOptions): CommandRouter {
  return {
    async ask<C extends Command>(instance: InstanceId, command: C): Promise<ReplyOf[C['type']]> {
      if (!isOwner(instance)) throw new GatewayError('INSTANCE_MOVING', { retryAfterSeconds: 5 })
      try {
        return await ask(instance, command)
      } catch (error) {
        // Its actor was stopped, to start anew or with the node.
        if (error instanceof ShardMoved) throw new GatewayError('INSTANCE_MOVING', { retryAfterSeconds: 5 })
        throw error
      }
    },
  }
}
