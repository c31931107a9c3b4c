using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Fleet.Registry;

namespace MgbaBridge.Fleet.Engines;

/// <summary>Runs sessions as processes of this machine, which end with this program: the end of their input tells them to give their session back.</summary>
/// <param name="program">What is started.</param>
/// <remarks>It gives all jobs the whole machine: gateways with this engine refuse to create sessions with resources.</remarks>
public sealed class LocalEngine(NodeProgram program) : IFleetEngine, IDisposable
{
    private readonly ConcurrentDictionary<SessionCopy, Process> _processes = [];

    public string Name => "local";

    public Task StartAsync(IReadOnlyList<SessionCopy> jobs, string owner, JobResources resources, CancellationToken cancellationToken)
    {
        foreach (var job in jobs)
        {
            var start = new ProcessStartInfo(program.Command[0], program.Command.Skip(1)) { RedirectStandardInput = true };
            ChildEnvironment.LimitToHosts(start);
            foreach (var (name, value) in program.Environment)
            {
                start.Environment[name] = value;
            }

            start.Environment[IFleetEngine.JobVariable] = job.ToString();
            try
            {
                _processes[job] = Process.Start(start) ?? throw new EngineException($"{program.Command[0]} did not start.");
            }
            catch (System.ComponentModel.Win32Exception exception)
            {
                throw new EngineException($"{program.Command[0]} could not be run: {exception.Message}", exception);
            }
        }

        return Task.CompletedTask;
    }

    public Task<IReadOnlyList<EngineJob>> ListAsync(CancellationToken cancellationToken)
    {
        foreach (var (job, process) in _processes.Where(entry => entry.Value.HasExited))
        {
            _processes.TryRemove(job, out _);
            process.Dispose();
        }

        return Task.FromResult<IReadOnlyList<EngineJob>>([.. _processes.Select(entry => new EngineJob(entry.Key, entry.Value.Id.ToString(CultureInfo.InvariantCulture)))]);
    }

    public Task StopAsync(IReadOnlyList<EngineJob> jobs, CancellationToken cancellationToken)
    {
        foreach (var job in jobs)
        {
            if (_processes.TryGetValue(job.Copy, out var process))
            {
                process.StandardInput.Close();
            }
        }

        return Task.CompletedTask;
    }

    public void Dispose()
    {
        foreach (var process in _processes.Values)
        {
            process.StandardInput.Close();
            process.Dispose();
        }
    }
}
