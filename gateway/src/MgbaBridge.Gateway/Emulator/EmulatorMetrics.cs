using System.Diagnostics.Metrics;
using MgbaBridge.Gateway.Diagnostics;

namespace MgbaBridge.Gateway.Emulator;

/// <summary>What can be seen of each emulator at any moment. It is looked at only when somebody collects, and costs requests nothing.</summary>
public static class EmulatorMetrics
{
    /// <summary>Adds the instruments; they live as long as <paramref name="meters"/>.</summary>
    public static void Observe(Emulators emulators, IMeterFactory meters)
    {
        var meter = meters.Create(GatewayMetrics.MeterName);
        Gauge("mgba.emulator.up", null, "Whether the emulator answers: 1 or 0.", client => client.Health.State is EmulatorState.Ready or EmulatorState.Leased ? 1 : 0);
        Gauge("mgba.client.operation.active", "{request}", "Requests sent and not answered.", client => client.InFlight);
        Gauge("mgba.client.operation.waiting", "{request}", "Requests waiting for a free place.", client => client.Waiting);

        void Gauge(string name, string? unit, string description, Func<EmulatorClient, int> look) => meter.CreateObservableGauge(
            name, () => emulators.All.Select(client => new Measurement<int>(look(client), new KeyValuePair<string, object?>("mgba.emulator", client.Id))), unit, description);
    }
}
