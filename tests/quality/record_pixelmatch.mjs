// Counts with pixelmatch what differs in pairs of raw pictures: `node record_pixelmatch.mjs FOLDER`.
// The folder holds jobs.json and, for each pair, NUMBER.a and NUMBER.b (RGBA); the counts are printed as JSON.
import fs from 'node:fs';
import path from 'node:path';
import {createRequire} from 'node:module';
import {pathToFileURL} from 'node:url';

const folder = path.resolve(process.argv[2]);
const found = createRequire(path.join(folder, 'package.json')).resolve('pixelmatch');
const {default: pixelmatch} = await import(pathToFileURL(found));
const {pairs, settings} = JSON.parse(fs.readFileSync(path.join(folder, 'jobs.json'), 'utf8'));
const counts = pairs.map(({number, width, height}) => {
    const [a, b] = ['a', 'b'].map((side) => fs.readFileSync(path.join(folder, `${number}.${side}`)));
    return Object.values(settings).map((options) => pixelmatch(a, b, null, width, height, options));
});
process.stdout.write(JSON.stringify(counts));
