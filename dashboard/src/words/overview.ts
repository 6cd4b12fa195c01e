/** The words of the overview's pictures, in each language. */
import { makeWordsHook } from './index.js'

const en = {
  about: 'What all accounts did, and what needs your attention.',
  traffic: 'Traffic',
  span: 'Time',
  spans: { hour: 'Hour', day: 'Day', week: 'Week' },
  messages: 'Messages',
  sent: 'Sent',
  received: 'Received',
  failed: 'Not sent',
  deliveries: 'How long webhooks took',
  noDeliveries: 'No webhook took an event in this time. Counts come in every five minutes.',
  half: 'Typical',
  nearlyAll: 'Slowest 1 in 100',
  states: 'Accounts by state',
  statesOverTime: 'Over time',
  statesSpan: 'Span of the states',
  noStates: 'The numbers come in within a minute of the first change.',
  waitingTitle: 'Waiting now',
  agents: 'Cost of agents per day',
  agentsHelp: 'In the currency of your agents’ prices. Days are UTC.',
  agentCost: 'Cost',
  noAgents: 'No agent worked in the last days.',
  turns: (turns: string, tokens: string) => `${turns} answers, ${tokens} tokens in these days.`,
  reconnect: 'Connect them',
  reconnecting: (count: number) =>
    count === 0 ? 'All of them connect already.' : count === 1 ? '1 account connects.' : `${count} accounts connect.`,
  replayOfAll: 'Deliver again',
  replayed: (count: number) => (count === 1 ? '1 event is delivered again.' : `${count} events are delivered again.`),
}

type OverviewWords = typeof en

const ptBr: OverviewWords = {
  about: 'O que todas as contas fizeram, e o que precisa da sua atenção.',
  traffic: 'Tráfego',
  span: 'Período',
  spans: { hour: 'Hora', day: 'Dia', week: 'Semana' },
  messages: 'Mensagens',
  sent: 'Enviadas',
  received: 'Recebidas',
  failed: 'Não enviadas',
  deliveries: 'Tempo de resposta dos webhooks',
  noDeliveries: 'Nenhum webhook recebeu um evento neste período. Os números chegam a cada cinco minutos.',
  half: 'Típico',
  nearlyAll: 'O mais lento de 100',
  states: 'Contas por estado',
  statesOverTime: 'Ao longo do tempo',
  statesSpan: 'Período dos estados',
  noStates: 'Os números chegam em até um minuto depois da primeira mudança.',
  waitingTitle: 'Esperando agora',
  agents: 'Custo dos agentes por dia',
  agentsHelp: 'Na moeda dos preços dos seus agentes. Os dias são em UTC.',
  agentCost: 'Custo',
  noAgents: 'Nenhum agente trabalhou nos últimos dias.',
  turns: (turns, tokens) => `${turns} respostas, ${tokens} tokens nestes dias.`,
  reconnect: 'Conectar',
  reconnecting: (count) =>
    count === 0
      ? 'Todas já estão se conectando.'
      : count === 1
        ? '1 conta está se conectando.'
        : `${count} contas estão se conectando.`,
  replayOfAll: 'Entregar de novo',
  replayed: (count) => (count === 1 ? '1 evento será entregue de novo.' : `${count} eventos serão entregues de novo.`),
}

const es: OverviewWords = {
  about: 'Lo que hicieron todas las cuentas, y lo que necesita su atención.',
  traffic: 'Tráfico',
  span: 'Período',
  spans: { hour: 'Hora', day: 'Día', week: 'Semana' },
  messages: 'Mensajes',
  sent: 'Enviados',
  received: 'Recibidos',
  failed: 'No enviados',
  deliveries: 'Tiempo de respuesta de los webhooks',
  noDeliveries: 'Ningún webhook recibió un evento en este período. Los números llegan cada cinco minutos.',
  half: 'Típico',
  nearlyAll: 'El más lento de 100',
  states: 'Cuentas por estado',
  statesOverTime: 'A lo largo del tiempo',
  statesSpan: 'Período de los estados',
  noStates: 'Los números llegan como máximo un minuto después del primer cambio.',
  waitingTitle: 'En espera ahora',
  agents: 'Costo de los agentes por día',
  agentsHelp: 'En la moneda de los precios de sus agentes. Los días son UTC.',
  agentCost: 'Costo',
  noAgents: 'Ningún agente trabajó en los últimos días.',
  turns: (turns, tokens) => `${turns} respuestas, ${tokens} tokens en estos días.`,
  reconnect: 'Conectarlas',
  reconnecting: (count) =>
    count === 0
      ? 'Todas ya se están conectando.'
      : count === 1
        ? '1 cuenta se está conectando.'
        : `${count} cuentas se están conectando.`,
  replayOfAll: 'Entregar de nuevo',
  replayed: (count) => (count === 1 ? '1 evento se entrega de nuevo.' : `${count} eventos se entregan de nuevo.`),
}

export const useOverviewWords = makeWordsHook({ 'pt-BR': ptBr, es, en })
