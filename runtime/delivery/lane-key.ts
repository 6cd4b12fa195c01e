/** A lane of webhook deliveries: one webhook and one chat. Order holds within it, and nothing in it holds another up. */
export interface Lane {
  readonly webhookId: string
  /** The chat's id; minus the instance's number for events of no chat. */
  readonly lane: number
}

export function laneKeyOf({ webhookId, lane }: Lane): string {
  return `${webhookId}:${lane}`
}

export function laneOfKey(key: string): Lane {
  const at = key.lastIndexOf(':')
  return { webhookId: key.slice(0, at), lane: Number(key.slice(at + 1)) }
}
