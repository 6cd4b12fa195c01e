import { useNavigate, useSearch } from '@tanstack/react-router'
import { Choices } from '../components/choices.js'
import { PageHeader } from '../components/page-header.js'
import { AgentList } from '../features/agents/agent-list.js'
import { ChatbotSettings } from '../features/agents/chatbot-settings.js'
import { Playground } from '../features/agents/playground.js'
import { agentViews, readAgentSearch } from '../features/agents/search.js'
import { TriggerList } from '../features/agents/trigger-list.js'
import { TurnList } from '../features/agents/turn-list.js'
import { mayConnect } from '../hooks/use-instance.js'
import { useThisInstance } from '../hooks/use-this-instance.js'
import { useAgentWords } from '../words/agents/index.js'
import { useWords } from '../words/index.js'

/** Agents of an instance, what starts them, a place to try them, and what they did. */
export function Agents() {
  const words = useWords()
  const agent = useAgentWords()
  const { id, credential, told } = useThisInstance()
  const { view = 'agents', state, chat } = useSearch({ from: '/instances/$id/agents' })
  const navigate = useNavigate({ from: '/instances/$id/agents' })
  const scope = { id, credential }
  // A trial needs the token, since it may call functions.
  const views = agentViews.filter((one) => one !== 'playground' || mayConnect())
  return (
    <>
      <PageHeader title={agent.title} about={words.abouts[view === 'triggers' ? 'triggers' : 'agents']} />
      <Choices
        label={agent.views}
        options={views.map((one) => [one, agent[one]] as const)}
        chosen={view}
        onChoose={(next) => void navigate({ search: { view: next }, replace: true })}
      />
      {view === 'agents' ? <AgentList scope={scope} /> : null}
      {view === 'triggers' ? <TriggerList scope={scope} /> : null}
      {view === 'settings' ? <ChatbotSettings scope={scope} instance={told.instance} /> : null}
      {view === 'playground' && mayConnect() ? <Playground scope={scope} /> : null}
      {view === 'turns' ? (
        <TurnList
          scope={scope}
          search={{ state, chat }}
          onSearch={(next) => void navigate({ search: readAgentSearch({ view, ...next }), replace: true })}
        />
      ) : null}
    </>
  )
}
