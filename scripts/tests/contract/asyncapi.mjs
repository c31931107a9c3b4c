// Prints the errors and warnings of AsyncAPI's own parser, and fails if there are any: FILE
import { readFile } from 'node:fs/promises';
import { Parser } from '@asyncapi/parser';

const { document, diagnostics } = await new Parser().parse(await readFile(process.argv[2], 'utf8'));
const found = diagnostics.filter(({ severity }) => severity < 2);
for (const { code, message, path } of found) {
  console.log(code, path.join('.'), message);
}
console.log(`${document?.operations().length ?? 0} operations, ${document?.messages().length ?? 0} messages`);
process.exitCode = found.length > 0 || !document ? 1 : 0;
