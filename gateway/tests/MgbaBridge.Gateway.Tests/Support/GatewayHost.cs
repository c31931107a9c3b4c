using System.Globalization;
using System.Net.Http.Headers;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Client.Transport;
using MgbaBridge.Engines.Supervision;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Mvc.Testing;
using Microsoft.AspNetCore.TestHost;
using Microsoft.Extensions.DependencyInjection;

namespace MgbaBridge.Gateway.Tests.Support;

/// <summary>The whole gateway on a free port, in front of an emulator.</summary>
internal sealed class GatewayHost : IAsyncDisposable
{
    /// <summary>On a busy machine an emulator may run no frame for a while: time limits are long unless a test is about them.</summary>
    public static readonly IReadOnlyList<(string Key, string Value)> Patient =
    [
        ("Transport:RequestTimeout", "00:00:30"), ("Transport:SilenceTimeout", "00:00:20"), ("Transport:ConnectTimeout", "00:00:20"), ("Owned:StartTimeout", "00:01:00"),
    ];

    private readonly WebApplicationFactory<Program> _factory;

    private GatewayHost(WebApplicationFactory<Program> factory)
    {
        _factory = factory;
        Client = factory.CreateClient();
    }

    public HttpClient Client { get; }

    public IServiceProvider Services => _factory.Services;

    /// <summary>How long a script may give no sign, from now on: short only while a test has made it silent.</summary>
    public TimeSpan SilenceTimeout
    {
        get => _factory.Services.GetRequiredService<TransportSettings>().Now.SilenceTimeout;
        set
        {
            var transport = _factory.Services.GetRequiredService<TransportSettings>();
            transport.Change(transport.Now with { SilenceTimeout = value });
        }
    }

    public EmulatorRegistry Emulators => _factory.Services.GetRequiredService<EmulatorRegistry>();

    /// <summary>Starts it. Settings are keys below <c>Bridge</c>, beside <see cref="Patient"/>.</summary>
    public static GatewayHost Start(int emulatorPort, params (string Key, string Value)[] settings) => Start(emulatorPort, null, settings);

    /// <summary>As above, with other services, or with values that are no settings.</summary>
    public static GatewayHost Start(int emulatorPort, Action<IServiceCollection>? change, params (string Key, string Value)[] settings) =>
        StartWithoutPort(change, [("Emulators:0:Port", emulatorPort.ToString(CultureInfo.InvariantCulture)), .. settings]);

    /// <summary>As above, and the gateway has to find its emulators.</summary>
    public static GatewayHost StartWithoutPort(params (string Key, string Value)[] settings) => StartWithoutPort(null, settings);

    /// <summary>As above, with other services, or with values that are no settings.</summary>
    public static GatewayHost StartWithoutPort(Action<IServiceCollection>? change, params (string Key, string Value)[] settings) => StartServer(new Factory(settings, change));

    private static GatewayHost StartServer(Factory factory)
    {
        // the port is free because Bridge:HttpPort is 0; UseKestrel(0) would set it again in a race with the start
        factory.UseKestrel();
        factory.StartServer();
        return new GatewayHost(factory);
    }

    /// <summary>As above, and waits until its emulators answer.</summary>
    public static Task<GatewayHost> ReadyAsync(int emulatorPort, params (string Key, string Value)[] settings) => ReadyAsync(emulatorPort, null, settings);

    /// <summary>As above, with other services, or with values that are no settings.</summary>
    public static async Task<GatewayHost> ReadyAsync(int emulatorPort, Action<IServiceCollection>? change, params (string Key, string Value)[] settings)
    {
        var host = Start(emulatorPort, change, settings);
        await Eventually.Is(() => host.Emulators.All.All(static one => one.Health.State == EmulatorState.Ready));
        return host;
    }

    /// <summary>Lets it make its API document, which programs ask for: on a busy machine they may not wait as long as the first one takes.</summary>
    public async Task DescribeAsync(string? token = null)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, "/openapi/v1.json");
        request.Headers.Authorization = token is null ? null : new AuthenticationHeaderValue("Bearer", token);
        using var response = await Client.SendAsync(request, TestContext.Current.CancellationToken);
        Assert.True(response.IsSuccessStatusCode, response.ToString());
    }

    public async ValueTask DisposeAsync()
    {
        Client.Dispose();
        await _factory.DisposeAsync();
    }

    private sealed class Factory((string Key, string Value)[] settings, Action<IServiceCollection>? change) : WebApplicationFactory<Program>
    {
        protected override void ConfigureWebHost(IWebHostBuilder builder)
        {
            // tests assert; what the gateway logs would only hide what they say
            builder.UseSetting("Logging:LogLevel:Default", "None").UseSetting("Logging:LogLevel:Microsoft.Hosting.Lifetime", "None");
            // and only tests of the discovery connect to the emulators of other tests
            builder.UseEnvironment("Production").UseSetting("Bridge:HttpPort", "0").UseSetting("Bridge:Discover", "false");
            foreach (var (key, value) in Patient.Concat(settings))
            {
                builder.UseSetting($"Bridge:{key}", value);
            }

            builder.ConfigureTestServices(services =>
            {
                services.Registered<TransportSettings>().Now.WaitTimeout = services.Registered<OwnedEmulatorOptions>().CommandTimeout = TimeSpan.FromSeconds(30);
                change?.Invoke(services);
            });
        }
    }
}

/// <summary>What a test changes before the gateway starts.</summary>
internal static class RegisteredServices
{
    /// <summary>The object that was registered as a service, such as options with values that are no settings.</summary>
    public static T Registered<T>(this IServiceCollection services) => (T)services.Last(service => service.ServiceType == typeof(T)).ImplementationInstance!;
}
