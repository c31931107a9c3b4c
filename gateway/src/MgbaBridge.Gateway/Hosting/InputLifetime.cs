namespace MgbaBridge.Gateway.Hosting;

/// <summary>Stops the program when its standard input ends: what started it has ended, in whatever way.</summary>
internal sealed class InputLifetime(IHostApplicationLifetime lifetime) : IHostedService
{
    /// <summary>The environment variable that turns it on.</summary>
    public const string Variable = "MGBA_BRIDGE_END_WITH_INPUT";

    /// <summary>Adds it if the environment says so.</summary>
    public static void AddTo(WebApplicationBuilder builder)
    {
        if (!string.IsNullOrEmpty(Environment.GetEnvironmentVariable(Variable)))
        {
            Environment.SetEnvironmentVariable(Variable, null); // what this program starts, such as jobs of Slurm, has other input
            builder.Services.AddHostedService<InputLifetime>();
        }
    }

    public Task StartAsync(CancellationToken cancellationToken)
    {
        var thread = new Thread(() =>
        {
            while (Console.In.Read() >= 0)
            {
                // nothing is expected
            }

            lifetime.StopApplication();
        })
        { IsBackground = true };
        thread.Start();
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
