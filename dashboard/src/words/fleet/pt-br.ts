import type { FleetWords } from './en.js'

export const ptBr: FleetWords = {
  needsAdmin: 'Só o token do administrador pode ver esta página.',
  withReads: 'Mostrar também as leituras e as entradas',
  never: 'nunca',
  more: 'Mais',
  kept: (days: number) =>
    days === 0
      ? 'Mensagens e eventos são mantidos para sempre (RETENTION_DAYS).'
      : `Mensagens e eventos são apagados depois de ${days} dias (RETENTION_DAYS).`,
  docsHelp: 'todas as operações, para ler e testar.',
  needs: 'Precisa da sua atenção',
  noNeeds: 'Está tudo bem: nada precisa da sua atenção.',
  missing: (count) =>
    count === 1
      ? '1 instância não está conectada, mas deveria.'
      : `${count} instâncias não estão conectadas, mas deveriam.`,
  waiting: (count, minutes) =>
    `${count} eventos esperam um webhook que não os recebe, o mais antigo há ${minutes} minutos.`,
  deadLetters: (count) =>
    count === 1
      ? '1 evento foi abandonado: o webhook nunca o recebeu.'
      : `${count} eventos foram abandonados: os webhooks nunca os receberam.`,
  failedSends: (count) =>
    count === 1
      ? '1 mensagem não foi enviada na última hora.'
      : `${count} mensagens não foram enviadas na última hora.`,
  webhookOfAll: 'o webhook de todas as instâncias',
  sendsWaiting: 'Envios esperando',
  sendsScheduled: 'Mensagens agendadas',
  deliveriesWaiting: 'Entregas esperando',
  failedAttempts: 'Entregas que falharam na última hora',
  nodeHours: 'A última hora de cada nó',
  nodeHoursHelp: 'O quanto cada máquina esteve ocupada, minuto a minuto. Linhas baixas e regulares são boas.',
  nodeFigures: {
    lag: 'Espera das chamadas',
    memory: 'Memória',
    commit: 'Tempo para gravar',
    journalWaiting: 'Ainda não gravado',
  },
  hourOf: (name, node, newest, most) => `${name}, ${node}: agora ${newest}, no máximo ${most} na última hora`,
  longestStop: (length, time, work, instance) =>
    `Maior parada: ${length} às ${time}${work === '' ? '' : `, durante ${work}`}${instance === '' ? '' : ` de ${instance}`}`,
  noReading: 'sem resposta',
  grafanaHelp: 'as métricas de todos os nós, por mais tempo.',
  nodes: 'Nós',
  node: 'Nó',
  state: 'Estado',
  nodeStates: { active: 'ativo', draining: 'esvaziando', silent: 'em silêncio', dead: 'morto' },
  storeStates: {
    outdated: 'Este nó usa um primário antigo do PostgreSQL. Ele não atende nenhuma instância até alcançar o novo.',
    foreign: 'Este nó usa outro banco de dados que os demais nós. Ele não atende nenhuma instância.',
    behind: 'O PostgreSQL voltou no tempo. Os nós estão prestes a recomeçar.',
  },
  storeWentBack: {
    failover: (from, until) =>
      `O PostgreSQL passou para um servidor sem os últimos commits. Podem faltar mensagens e configurações de ${from} até ${until}.`,
    restore: (from, until) =>
      `O PostgreSQL continua de uma cópia mais antiga. Podem faltar mensagens e configurações de ${from} até ${until}.`,
  },
  storeNoticed: (at, node) => `Percebido por ${node}: ${at}.`,
  unknownTime: 'um momento desconhecido',
  version: 'Versão',
  shards: 'Partes',
  instances: 'Instâncias',
  lastSeen: 'Visto por último',
  actions: 'Ações',
  drain: 'Esvaziar',
  drainOf: (node) => `Esvaziar ${node}`,
  drainHelp: (shards, instances, others) =>
    `${instances} instâncias em ${shards} partes vão para ${others} outros nós. Cada uma fica fora por um momento. O nó não recebe nenhuma de volta até reiniciar.`,
  drainAlone: 'Nenhum outro nó pode recebê-las: este fica com elas até que venha outro.',
  left: (shards, instances) => `Faltam ${shards} partes com ${instances} instâncias`,
  drained: 'Vazio: pode ser parado.',
  noOwner: 'sem dono',
  shardTitle: (shard, node, instances) => `Parte ${shard}: ${node}, ${instances} instâncias`,
  whereIs: 'Onde está uma instância?',
  whereLabel: 'Nome, número ou id',
  find: 'Procurar',
  noEntries: 'Nenhum registro corresponde.',
  newest: 'Para os mais novos',
  older: 'Mais antigos',
  operation: 'Operação',
  subject: 'Sobre',
  pass: 'Sessão',
  fromDay: 'Desde',
  filter: 'Filtrar',
  clear: 'Limpar',
  at: 'Quando',
  who: 'Quem',
  outcome: 'Resultado',
  request: 'Chamada, endereço',
  underWay: 'sem resposta',
  actors: { admin: 'administrador', token: 'token', key: 'chave', unknown: 'desconhecido', node: 'nó' },
  passOf: (id) => `sessão ${id}`,
}
