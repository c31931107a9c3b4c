using System.Diagnostics.Metrics;
using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Diagnostics;

namespace MgbaBridge.Gateway.Emulator;

/// <summary>What can be seen of each emulator at any moment. It is looked at only when somebody collects, and costs requests nothing.</summary>
public static class EmulatorMetrics
{
    private static readonly RequestClass[] Lanes = Enum.GetValues<RequestClass>();

    /// <summary>Adds the instruments; they live as long as <paramref name="meters"/>.</summary>
    public static void Observe(Emulators emulators, IMeterFactory meters)
    {
        var meter = meters.Create(GatewayMetrics.MeterName);
        meter.CreateObservableGauge(
            "mgba.emulator.up", () => emulators.All.Select(client => new Measurement<int>(IsUp(client), Of(client))), null, "Whether the emulator answers: 1 or 0.");
        EachElement("mgba.client.operation.active", "Requests sent and not answered.", (client, lane) => client.InFlightOn(lane));
        EachElement("mgba.client.operation.waiting", "Requests waiting for a free place.", (client, lane) => client.WaitingFor(lane));

        void EachElement(string name, string description, Func<EmulatorClient, RequestClass, int> look) => meter.CreateObservableGauge(
            name,
            () => emulators.All.SelectMany(client => Lanes.Select(lane => new Measurement<int>(look(client, lane), Of(client), new("mgba.lane", lane.ToString())))),
            "{request}",
            description);
    }

    private static int IsUp(EmulatorClient client) => client.Health.Answers ? 1 : 0;

    private static KeyValuePair<string, object?> Of(EmulatorClient client) => new("mgba.emulator", client.Id);
}
