// Builds `dist`, of which the package is made: JavaScript and declarations, for Node strips no types below node_modules,
// and entries that look at the version of Node before they load the rest.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';

rmSync('dist', { recursive: true, force: true });
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', '.tsconfig.build.json'], { stdio: 'inherit' });
cpSync('src/pages/files', 'dist/src/pages/files', { recursive: true });
mkdirSync('dist/src/console/built', { recursive: true });
const { buildFiles } = await import('../src/console/bundle.ts');
for (const { name, body } of await buildFiles()) writeFileSync(`dist/src/console/built/${name}`, body);
// What these commands write.
for (const command of ['init', 'new-access', 'new-rule'])
  cpSync(`.package/${command}`, `dist/${command}`, { recursive: true });
for (const entry of ['needs-node.cjs', 'praxis.cjs', 'library.cjs']) cpSync(`.package/${entry}`, `dist/${entry}`);
// All that is imported at the head of a module is read before any of it runs, so the library comes behind the question.
const names = Object.keys(await import('../dist/src/library.js')).join(', ');
const library = `import './needs-node.cjs';\nconst { ${names} } = await import('./src/library.js');\nexport { ${names} };\n`;
writeFileSync('dist/library.js', library);
