import { render } from 'preact';
import { start } from './api/gateway';
import { nameHolder } from './app/person';
import './css/base.css'; // the styles of all parts, before those of the shell and of the views
import './css/controls.css';
import { Shell } from './app/shell';
import { escapeTexts } from './ui/escaped';
import './app/theme';
import './css/views.css';
import './css/recordings.css';
import './css/traffic.css';
import './css/video.css';
import './css/agents.css';
import './css/fleet.css';
import './css/debug.css';
import './css/overlay.css';

escapeTexts();
nameHolder();
start();
render(<Shell />, document.getElementById('app')!);
