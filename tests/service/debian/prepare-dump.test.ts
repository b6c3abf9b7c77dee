/** What happens to a dump before it is loaded: scratch.bash, run by this machine's own bash. */
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { readScript } from '@/lib/service/machines/debian/script'

const script = readScript('sites/scratch.bash')

const through = (filter: string, dump: string): string =>
  execFileSync('bash', ['-euc', `${script}\n${filter}`], { input: dump, encoding: 'utf8', env: { ...process.env, LC_ALL: 'C.UTF-8' } })

test('a dump names nobody as definer, no folder of its own and the database it is loaded into; rows stay as they are', () => {
  const dump = [
    "/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_AUTO_VALUE_ON_ZERO' */;",
    "INSERT INTO `t` VALUES ('CREATE DEFINER=`a`@`b` VIEW'),('zażółć');",
    '/*!50003 CREATE*/ /*!50017 DEFINER=`ro``ot`@`local%`*/ /*!50003 TRIGGER `x` BEFORE INSERT ON `t` FOR EACH ROW SET @a = 1 */;;',
    '/*!50106 CREATE*/ /*!50117 DEFINER=`root`@`localhost`*/ /*!50106 EVENT `e` ON SCHEDULE EVERY 1 DAY DO SELECT 1 */ ;;',
    'ALTER DATABASE `shop` CHARACTER SET latin1 COLLATE latin1_swedish_ci ;',
    'CREATE DEFINER=`root`@`localhost` PROCEDURE `p`()',
    'CREATE DEFINER=`role` FUNCTION `f`() RETURNS int(11)',
    '/*!50013 DEFINER=`root`@`localhost` SQL SECURITY DEFINER */',
  ]
  expect(through("prepare_dump 'gatehouse-scratch-x'", dump.join('\n')).split('\n')).toEqual([
    "/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_AUTO_VALUE_ON_ZERO,NO_DIR_IN_CREATE' */;",
    dump[1],
    '/*!50003 CREATE*/ /*!50017*/ /*!50003 TRIGGER `x` BEFORE INSERT ON `t` FOR EACH ROW SET @a = 1 */;;',
    '/*!50106 CREATE*/ /*!50117*/ /*!50106 EVENT `e` ON SCHEDULE EVERY 1 DAY DO SELECT 1 */ ;;',
    'ALTER DATABASE `gatehouse-scratch-x` CHARACTER SET latin1 COLLATE latin1_swedish_ci ;',
    'CREATE PROCEDURE `p`()',
    'CREATE FUNCTION `f`() RETURNS int(11)',
    '/*!50013 SQL SECURITY DEFINER */',
  ])
})
