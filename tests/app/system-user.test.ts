import { expect, test } from 'vitest'
import { kindOf, loginOf, type UsersAnswer } from '@/app/(portal)/servers/[serverId]/users/users-view'

const answer: UsersAnswer = { name: 'web', dns: '', host: 'web.example.net', ip: '192.0.2.7', user: 'deploy', port: '22', users: [] }

test('people are distinguished from the server’s own system user and those of the system and its packages', () => {
  expect(['anna', 'deploy', 'root', 'www-data', 'mysql'].map((name) => kindOf(name, 'deploy'))).toEqual([
    'person',
    'own',
    'system',
    'system',
    'system',
  ])
  expect(kindOf('root', 'root')).toBe('own')
})

test('a login is what one types: the port where it is unusual, the address where there is no name, nothing where there is neither', () => {
  expect(loginOf('anna', answer)).toBe('ssh anna@web.example.net')
  expect(loginOf('anna', { ...answer, host: '', port: '2222' })).toBe('ssh -p 2222 anna@192.0.2.7')
  expect(loginOf('anna', { ...answer, host: '', ip: '', port: '' })).toBe('')
})
