using System.Diagnostics.Metrics;
using System.Text.Json;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Diagnostics;

namespace MgbaBridge.Client.Emulator;

/// <summary>The gauges of each emulator. They are read only when metrics are collected, so requests do not pay for them.</summary>
internal static class EmulatorMetrics
{
    private static readonly RequestClass[] RequestClasses = Enum.GetValues<RequestClass>();
    private static readonly string[] StateNames = [.. Enum.GetNames<EmulatorState>().Select(JsonNamingPolicy.KebabCaseLower.ConvertName)];

    /// <summary>Adds the instruments; they live as long as <paramref name="meters"/>.</summary>
    public static void Observe(EmulatorRegistry emulators, IMeterFactory meters)
    {
        var meter = meters.Create(ClientMetrics.MeterName);
        meter.CreateObservableGauge(
            "mgba.emulator.up", () => emulators.All.Select(client => new Measurement<int>(IsUp(client), Of(client))), null, "Whether the emulator answers: 1 or 0.");
        meter.CreateObservableGauge(
            "mgba.emulator.state", () => emulators.All.Select(static client => new Measurement<int>(1, Of(client), new("mgba.state", StateNames[(int)client.Health.State]))), null,
            "The state of the emulator, as in /v2/status: 1 for the present one.");
        EachClass("mgba.client.operation.active", "Requests sent and not answered.", (client, requestClass) => client.InFlightOn(requestClass));
        EachClass("mgba.client.operation.waiting", "Requests waiting for capacity.", (client, requestClass) => client.WaitingFor(requestClass));

        void EachClass(string name, string description, Func<EmulatorClient, RequestClass, int> value) => meter.CreateObservableGauge(
            name,
            () => emulators.All.SelectMany(client => RequestClasses.Select(requestClass =>
                new Measurement<int>(value(client, requestClass), ClientMetrics.Tags(client.Id, requestClass.ToString())))),
            "{request}",
            description);
    }

    private static int IsUp(EmulatorClient client) => client.Health.Answers ? 1 : 0;

    private static KeyValuePair<string, object?> Of(EmulatorClient client) => new("mgba.emulator", client.Id);
}
