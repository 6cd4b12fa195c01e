/** The words of the picture of the cluster, in each language. */
import { makeWordsHook } from './index.js'

const en = {
  page: 'The machines that run the gateway, and the accounts that each of them serves.',
  about: (nodes: number, accounts: string) =>
    nodes === 1
      ? `One node serves all accounts (${accounts}). With a second one, they stay connected when one stops.`
      : `${nodes} nodes share the accounts (${accounts}). When one stops, the others take over its accounts within seconds.`,
  title: 'Who serves which accounts',
  accounts: (count: number): string => (count === 1 ? 'account' : 'accounts'),
  parts: (own: number, all: number) => `${own} of ${all} parts. A square is a part; its accounts move together.`,
  nobody: 'No node',
  nobodyHelp: (count: number) =>
    count === 1
      ? '1 part waits for a node. Its accounts are offline.'
      : `${count} parts wait for a node. Their accounts are offline.`,
  allServed: 'Every account has a node.',
  notServed: (count: number) =>
    count === 1 ? '1 part has no node right now.' : `${count} parts have no node right now.`,
  moves: 'What moved while you watched',
  move: (parts: number, accounts: number, from: string, to: string) =>
    `${parts === 1 ? '1 part' : `${parts} parts`} with ${accounts === 1 ? '1 account' : `${accounts} accounts`}: ${from} → ${to}`,
  noNode: 'no node',
}

type ClusterWords = typeof en

const ptBr: ClusterWords = {
  page: 'As máquinas que rodam o gateway, e as contas que cada uma atende.',
  about: (nodes, accounts) =>
    nodes === 1
      ? `Um nó atende todas as contas (${accounts}). Com um segundo, elas continuam conectadas quando um para.`
      : `${nodes} nós dividem as contas (${accounts}). Quando um para, os outros assumem as contas dele em segundos.`,
  title: 'Quem atende quais contas',
  accounts: (count) => (count === 1 ? 'conta' : 'contas'),
  parts: (own, all) => `${own} de ${all} partes. Um quadrado é uma parte; as contas dela mudam juntas.`,
  nobody: 'Nenhum nó',
  nobodyHelp: (count) =>
    count === 1
      ? '1 parte espera por um nó. As contas dela estão desconectadas.'
      : `${count} partes esperam por um nó. As contas delas estão desconectadas.`,
  allServed: 'Toda conta tem um nó.',
  notServed: (count) => (count === 1 ? '1 parte está sem nó agora.' : `${count} partes estão sem nó agora.`),
  moves: 'O que mudou enquanto você olhava',
  move: (parts, accounts, from, to) =>
    `${parts === 1 ? '1 parte' : `${parts} partes`} com ${accounts === 1 ? '1 conta' : `${accounts} contas`}: ${from} → ${to}`,
  noNode: 'nenhum nó',
}

const es: ClusterWords = {
  page: 'Las máquinas que ejecutan el gateway, y las cuentas que atiende cada una.',
  about: (nodes, accounts) =>
    nodes === 1
      ? `Un nodo atiende todas las cuentas (${accounts}). Con un segundo, siguen conectadas cuando uno se detiene.`
      : `${nodes} nodos comparten las cuentas (${accounts}). Cuando uno se detiene, los otros asumen sus cuentas en segundos.`,
  title: 'Quién atiende qué cuentas',
  accounts: (count) => (count === 1 ? 'cuenta' : 'cuentas'),
  parts: (own, all) => `${own} de ${all} partes. Un cuadrado es una parte; sus cuentas se mueven juntas.`,
  nobody: 'Ningún nodo',
  nobodyHelp: (count) =>
    count === 1
      ? '1 parte espera un nodo. Sus cuentas están desconectadas.'
      : `${count} partes esperan un nodo. Sus cuentas están desconectadas.`,
  allServed: 'Cada cuenta tiene un nodo.',
  notServed: (count) => (count === 1 ? '1 parte no tiene nodo ahora.' : `${count} partes no tienen nodo ahora.`),
  moves: 'Lo que se movió mientras miraba',
  move: (parts, accounts, from, to) =>
    `${parts === 1 ? '1 parte' : `${parts} partes`} con ${accounts === 1 ? '1 cuenta' : `${accounts} cuentas`}: ${from} → ${to}`,
  noNode: 'ningún nodo',
}

export const useClusterWords = makeWordsHook({ 'pt-BR': ptBr, es, en })
