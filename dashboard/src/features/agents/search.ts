/** Search parameters of the page of agents. */
export const agentViews = ['agents', 'triggers', 'settings', 'playground', 'turns'] as const
export type AgentView = (typeof agentViews)[number]

export function agentSearch({ view }: Record<string, unknown>): { view?: AgentView } {
  return agentViews.includes(view as AgentView) ? { view: view as AgentView } : {}
}
